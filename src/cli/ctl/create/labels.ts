import { CtlError } from '../errors.ts';

/** Reads `key=value,key=value`. @throws CtlError */
export function parseLabels(text: string): Record<string, string> {
  const labels: Record<string, string> = {};
  for (const pair of text.split(',')) {
    const [key = '', value, more] = pair.split('=');
    if (value === undefined || more !== undefined) throw new CtlError(`unexpected label spec: ${pair}`);
    if (key === '') throw new CtlError('unexpected empty label key');
    labels[key] = value;
  }
  return labels;
}
