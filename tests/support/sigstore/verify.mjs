// Verifies a bundle with the npm client: CONFIG BUNDLE FILE IDENTITY ISSUER. It says "verified",
// or why not, and with which status.
import { readFileSync } from "node:fs";
import { bundleFromJSON } from "@sigstore/bundle";
import { TrustedRoot } from "@sigstore/protobuf-specs";
import { Verifier, toSignedEntity, toTrustMaterial } from "@sigstore/verify";

const [, , config, bundle, file, identity, issuer] = process.argv;
const json = (path) => JSON.parse(readFileSync(path, "utf8"));
const root = TrustedRoot.fromJSON(json(config).trustedRoot);
const entity = toSignedEntity(bundleFromJSON(json(bundle)), readFileSync(file));
try {
  new Verifier(toTrustMaterial(root)).verify(entity, {
    subjectAlternativeName: identity,
    extensions: { issuer },
  });
  process.stdout.write("verified\n");
} catch (error) {
  process.stdout.write(`${error.message}\n`);
  process.exit(1);
}
