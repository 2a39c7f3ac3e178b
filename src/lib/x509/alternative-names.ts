import { isIP } from 'node:net';
import { elementsOf, readElement, TAG } from './der.ts';

/** The further names of a certificate's subject (RFC 5280, 4.2.1.6), of the kinds that are understood. */
export interface AlternativeNames {
  readonly dnsNames: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly uris: readonly string[];
}

/** Reads the extension's value; names of other kinds are passed over. @throws Error */
export function readAlternativeNames(extension: Buffer | undefined): AlternativeNames {
  const names = { dnsNames: [] as string[], emailAddresses: [] as string[], ipAddresses: [] as string[] };
  const uris: string[] = [];
  const elements = extension === undefined ? [] : elementsOf(readElement(extension), TAG.sequence);
  for (const { tag, content } of elements) {
    if (tag === 0x81) names.emailAddresses.push(readText(content));
    else if (tag === 0x82) names.dnsNames.push(readText(content));
    else if (tag === 0x86) uris.push(readUri(content));
    else if (tag === 0x87) names.ipAddresses.push(readAddress(content));
  }
  return { ...names, uris };
}

/** Visible ASCII: nothing else is a name of a host, a mailbox or an address on the web. */
function readText(content: Buffer): string {
  const text = content.toString('latin1');
  if (!/^[!-~]+$/.test(text)) throw new Error('holds a further name with characters that names do not have');
  return text;
}

function readUri(content: Buffer): string {
  const text = readText(content);
  if (!URL.canParse(text)) throw new Error(`holds a further name that is no URI: ${JSON.stringify(text)}`);
  return text;
}

function readAddress(content: Buffer): string {
  if (content.length === 4) return content.join('.');
  const groups = content.toString('hex').match(/.{4}/g)?.join(':') ?? '';
  if (isIP(groups) !== 6) throw new Error(`holds an IP address of ${content.length} bytes`);
  return groups;
}
