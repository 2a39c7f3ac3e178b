/** Floats of two bytes (IEEE 754 binary16), which the runtime's buffers don't know. */

/** The bits of a number as a float of two bytes; undefined: it takes more. */
export function halfBits(value: number): number | undefined {
  if (value === 0) return Object.is(value, -0) ? 0x8000 : 0;
  const sign = value < 0 ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  if (magnitude > 65504) return undefined;
  const exponent = Math.max(Math.floor(Math.log2(magnitude)), -14);
  // In units of the last of ten bits behind the point.
  const units = magnitude / 2 ** (exponent - 10);
  if (!Number.isInteger(units) || units >= 2048 || (units < 1024 && exponent > -14)) return undefined;
  return sign | (units < 1024 ? units : ((exponent + 15) << 10) | (units - 1024));
}

/** The number that a float of two bytes stands for. */
export function halfValue(bits: number): number {
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  const sign = bits & 0x8000 ? -1 : 1;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (fraction + 1024) * 2 ** (exponent - 25));
}
