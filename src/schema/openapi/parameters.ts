import type { JsonObject } from '../../meta/object.ts';

/** A Swagger parameter. */
export interface Parameter extends JsonObject {
  name: string;
  in: 'path' | 'query' | 'body';
  /** Of a body. */
  schema?: JsonObject;
}

/**
 * The parameters that many operations of a Swagger document have, each written once and referred to by a name that ends
 * in a hash of its content.
 */
export class SharedParameters {
  readonly #byContent = new Map<string, { name: string; parameter: Parameter }>();

  /** A reference to a parameter, or the parameter itself where it stays with its operation. */
  refer(parameter: Parameter): JsonObject {
    if (!isShared(parameter)) return parameter;
    const content = JSON.stringify(parameter);
    let known = this.#byContent.get(content);
    if (known === undefined) {
      known = { name: `${parameter.name}-${shortHash(content)}`, parameter };
      this.#byContent.set(content, known);
    }
    return { $ref: `#/parameters/${known.name}` };
  }

  /** What the references lead to, sorted by name. */
  definitions(): JsonObject {
    const named = [...this.#byContent.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    return Object.fromEntries(named.map(({ name, parameter }) => [name, parameter]));
  }
}

/**
 * Names and bodies of kinds say something of their operation. Clients look for `dryRun` and `fieldValidation` at the
 * operation, to learn whether the server knows them.
 */
function isShared({ name, schema }: Parameter): boolean {
  if (name === 'name' || name === 'dryRun' || name === 'fieldValidation') return false;
  if (name !== 'body') return true;
  const reference = schema?.$ref;
  return typeof reference === 'string' && reference.startsWith('#/definitions/io.k8s.apimachinery');
}

const OFFSET = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;

/** The first six bytes of FNV-1 (64 bit), in URL-safe Base64. */
function shortHash(text: string): string {
  let hash = OFFSET;
  for (const byte of Buffer.from(text, 'utf8')) hash = BigInt.asUintN(64, hash * PRIME) ^ BigInt(byte);
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(hash);
  return bytes.subarray(0, 6).toString('base64url');
}
