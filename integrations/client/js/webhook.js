// Events that Laurel sends, signed as Standard Webhooks are.

const tolerance = 300; // seconds: the largest difference of the clocks, and the greatest age of a signature
const minSecret = 12; // bytes; an unset variable must not be a secret

/** An event that none of the secrets has signed, or not lately. */
export class SignatureError extends Error {
  name = "SignatureError";
}

/**
 * Returns the event {id, type, timestamp, data} of a request whose body one of the secrets has signed. It comes at least
 * once: the id is the same each time.
 *
 * @param headers those of the request: Headers, or an object with names in lower case
 * @param body as it came, text or bytes: a body that was parsed and written again has another signature
 * @param secrets one, or a list of them while one takes another's place
 * @param now the moment in milliseconds
 */
export async function verify(headers, body, secrets, now = Date.now()) {
  const header = (name) => (typeof headers.get === "function" ? headers.get(name) : headers[name]) ?? "";
  const [id, timestamp] = [header("webhook-id"), header("webhook-timestamp")];
  if (!id || !/^\d+$/.test(timestamp)) throw new SignatureError("webhook-id or webhook-timestamp is missing");
  if (Math.abs(now / 1000 - timestamp) > tolerance) {
    throw new SignatureError("webhook-timestamp is more than five minutes off");
  }
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body);
  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(prefix.length + bytes.length);
  signed.set(prefix);
  signed.set(bytes, prefix.length);
  if (!(await anySigns([secrets].flat(), header("webhook-signature"), signed))) {
    throw new SignatureError("no secret gives the signature");
  }
  return { ...JSON.parse(new TextDecoder().decode(bytes)), id };
}

// Says whether one of the secrets gives one of the signatures of a header. Web Crypto compares in a time that does not
// depend on where they differ.
async function anySigns(secrets, header, signed) {
  const keys = await Promise.all(secrets.map(keyOf));
  for (const signature of header.split(" ")) {
    const sum = signature.startsWith("v1,") ? decode(signature.slice(3)) : undefined;
    for (const key of sum ? keys : []) {
      if (await crypto.subtle.verify("HMAC", key, sum, signed)) return true;
    }
  }
  return false;
}

// Returns the key of a secret: of its base64 after whsec_, else of its text. The error has nothing of it.
async function keyOf(secret) {
  const bytes = secret?.startsWith("whsec_") ? decode(secret.slice(6)) : new TextEncoder().encode(secret ?? "");
  if (!bytes || bytes.length < minSecret) {
    throw new Error(`a secret is shorter than ${minSecret} bytes, or not base64 after whsec_`);
  }
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

// Returns the bytes of base64, undefined if it is none.
function decode(text) {
  try {
    return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  } catch {
    return undefined;
  }
}
