-- Open orders get an index of their own; closed ones keep theirs, smaller than before.
DROP INDEX orders_customer_id;
CREATE INDEX orders_open_customer_id ON orders (customer_id) WHERE status = 'open';
CREATE INDEX orders_closed_customer_id ON orders (customer_id) WHERE status = 'closed';
