// A whole Sigstore on loopback, made of the real handlers of @sigstore/mock: Fulcio with a CT log,
// and Rekor. It writes the client trust config that names it to the file of its first argument,
// says "ready", and ends when its standard input does.
import { createHash, generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import mock from "@sigstore/mock";

const [, , target] = process.argv;
const START = "2020-01-01T00:00:00Z";

const pair = (namedCurve = "P-256") => generateKeyPairSync("ec", { namedCurve });
const base64 = (bytes) => Buffer.from(bytes).toString("base64");
const sha256 = (bytes) => createHash("sha256").update(bytes).digest();

const ctlog = await mock.initializeCTLog(pair());
const ca = await mock.initializeCA(pair("P-384"), ctlog);

// Fulcio takes the token from the Authorization header, and the CSR in base64.
const toFulcio = (body, headers) => {
  const request = JSON.parse(body);
  const token = (headers.authorization ?? "").replace(/^Bearer /, "");
  request.credentials = { oidcIdentityToken: token };
  if (request.certificateSigningRequest) {
    const csr = Buffer.from(request.certificateSigningRequest, "base64").toString();
    request.certificateSigningRequest = csr;
  }
  return JSON.stringify(request);
};

// People are named by their address, everything else by its subject; as Fulcio does.
const claimOf = (token) => {
  const claims = JSON.parse(Buffer.from(token.split(".")[1], "base64url").toString());
  return claims.email ? "email" : "sub";
};

const server = createServer((request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", async () => {
    const body = Buffer.concat(parts).toString();
    let answer = { statusCode: 404, response: "nothing here" };
    if (request.url === "/api/v2/signingCert") {
      const asked = toFulcio(body, request.headers);
      const subjectClaim = claimOf(JSON.parse(asked).credentials.oidcIdentityToken);
      answer = await mock.fulcioHandler(ca, { subjectClaim }).fn(asked);
    } else if (request.url === "/api/v1/log/entries") {
      answer = await mock.rekorHandler(tlog).fn(body);
    }
    const type = answer.contentType ?? "text/plain";
    response.writeHead(answer.statusCode, { "Content-Type": type });
    response.end(answer.response);
  });
});

await new Promise((done) => server.listen(0, "127.0.0.1", done));
const url = `http://127.0.0.1:${server.address().port}`;
const tlog = await mock.initializeTLog(url, pair());

const log = (about, logId) => ({
  baseUrl: url,
  hashAlgorithm: "SHA2_256",
  publicKey: {
    rawBytes: base64(about.publicKey),
    keyDetails: "PKIX_ECDSA_P256_SHA_256",
    validFor: { start: START },
  },
  logId: { keyId: base64(logId) },
});
const service = {
  url,
  majorApiVersion: 1,
  validFor: { start: START },
  operator: "accord.test",
};
const config = {
  mediaType: "application/vnd.dev.sigstore.clienttrustconfig.v0.1+json",
  trustedRoot: {
    mediaType: "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
    tlogs: [log(tlog, sha256(tlog.publicKey))],
    certificateAuthorities: [
      {
        subject: { organization: "sigstore.mock", commonName: "sigstore" },
        uri: url,
        certChain: { certificates: [{ rawBytes: base64(ca.rootCertificate) }] },
        validFor: { start: START },
      },
    ],
    ctlogs: [log(ctlog, sha256(ctlog.publicKey))],
    timestampAuthorities: [],
  },
  signingConfig: {
    mediaType: "application/vnd.dev.sigstore.signingconfig.v0.2+json",
    caUrls: [service],
    oidcUrls: [service],
    rekorTlogUrls: [service],
    tsaUrls: [],
    rekorTlogConfig: { selector: "ANY" },
    tsaConfig: { selector: "ANY" },
  },
};
writeFileSync(target, JSON.stringify(config, null, 2));
process.stdout.write("ready\n");
process.stdin.resume();
process.stdin.on("end", () => process.exit(0));
