-- Open orders are a hundredth of all: index only those.
DROP INDEX orders_customer_id;
CREATE INDEX orders_open_customer_id ON orders (customer_id) WHERE status = 'open';
