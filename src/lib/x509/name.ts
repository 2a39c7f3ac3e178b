import { elementsOf, objectIdentifier, TAG, type DerElement } from './der.ts';

/** One part of a distinguished name (RFC 5280). */
export interface NameAttribute {
  /** An object identifier, such as one of {@link NAME_TYPE}. */
  readonly type: string;
  readonly value: string;
}

export const NAME_TYPE = {
  commonName: '2.5.4.3',
  serialNumber: '2.5.4.5',
  country: '2.5.4.6',
  locality: '2.5.4.7',
  province: '2.5.4.8',
  street: '2.5.4.9',
  organization: '2.5.4.10',
  organizationalUnit: '2.5.4.11',
  postalCode: '2.5.4.17',
} as const;

/** Reads a distinguished name. @throws Error */
export function readName(name: DerElement | undefined): NameAttribute[] {
  return elementsOf(name, TAG.sequence).flatMap((part) =>
    elementsOf(part, TAG.set).map((attribute) => {
      const [type, value] = elementsOf(attribute, TAG.sequence);
      return { type: objectIdentifier(type), value: readText(value) };
    }),
  );
}

const UTF8_STRING = 0x0c;
const BMP_STRING = 0x1e;
/** Numeric, printable, teletex (read as Latin-1, as everybody does) and IA5 strings. */
const BYTE_STRINGS: readonly number[] = [0x12, 0x13, 0x14, 0x16];

// eslint-disable-next-line no-control-regex -- they are what is looked for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f]/;

/** Control characters end lines and texts where names are shown or compared: no name needs them. */
function readText(element: DerElement | undefined): string {
  const text = decodeText(element);
  if (CONTROLS.test(text)) throw new Error('holds control characters in its subject');
  return text;
}

function decodeText(element: DerElement | undefined): string {
  const { tag = 0, content = Buffer.alloc(0) } = element ?? {};
  if (BYTE_STRINGS.includes(tag)) return content.toString('latin1');
  const encoding = { [UTF8_STRING]: 'utf-8', [BMP_STRING]: 'utf-16be' }[tag];
  if (encoding === undefined) throw new Error(`holds a text of the type ${tag} in its subject`);
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(content);
  } catch (cause) {
    throw new Error('holds a text in its subject that is not in its encoding', { cause });
  }
}
