// SHA-256, as a policy names an inline style by it. The one of browsers answers later, and not without https.

const primes = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);
const fraction = (x) => ((x % 1) * 2 ** 32) | 0;
const constants = primes.map((p) => fraction(Math.cbrt(p)));
const right = (x, n) => (x >>> n) | (x << (32 - n));

/** sha256 returns the hash of a text in base64. */
export const sha256 = (text) => {
  const bytes = new TextEncoder().encode(text);
  const blocks = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64));
  bytes.forEach((b, i) => blocks.setUint8(i, b));
  blocks.setUint8(bytes.length, 0x80);
  blocks.setUint32(blocks.byteLength - 4, 8 * bytes.length);
  const state = primes.slice(0, 8).map((p) => fraction(Math.sqrt(p)));
  for (let at = 0; at < blocks.byteLength; at += 64) {
    const w = [];
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const [x, y] = [w[i - 15], w[i - 2]];
      w[i] = i < 16 ? blocks.getInt32(at + 4 * i)
        : (w[i - 16] + (right(x, 7) ^ right(x, 18) ^ (x >>> 3)) + w[i - 7] + (right(y, 17) ^ right(y, 19) ^ (y >>> 10))) | 0;
      const t = (h + (right(e, 6) ^ right(e, 11) ^ right(e, 25)) + ((e & f) ^ (~e & g)) + constants[i] + w[i]) | 0;
      const u = ((right(a, 2) ^ right(a, 13) ^ right(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [a, b, c, d, e, f, g, h] = [(t + u) | 0, a, b, c, (d + t) | 0, e, f, g];
    }
    [a, b, c, d, e, f, g, h].forEach((v, i) => (state[i] = (state[i] + v) | 0));
  }
  return btoa(state.flatMap((v) => [24, 16, 8, 0].map((n) => String.fromCharCode((v >>> n) & 255))).join(""));
};
