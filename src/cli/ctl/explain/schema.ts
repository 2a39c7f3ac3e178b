import type { Json, JsonObject } from '../../../meta/object.ts';

/** A schema of an OpenAPI v3 document, in the parts that people read. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly allOf?: readonly Schema[];
  readonly enum?: readonly Json[];
}

/** An OpenAPI v3 document of one group and version. */
export class SchemaDocument {
  readonly #schemas: Readonly<Record<string, Schema>>;

  constructor(document: JsonObject) {
    const { components } = document as { components?: { schemas?: Readonly<Record<string, Schema>> } };
    this.#schemas = components?.schemas ?? {};
  }

  /** The schema of a kind, which says so in an extension of the given name. */
  ofKind(kind: { group: string; version: string; kind: string }, extension: string): Schema | undefined {
    const names = Object.keys(this.#schemas).sort();
    const name = names.find((one) => {
      const kinds = (this.#schemas[one] as Readonly<Record<string, unknown>> | undefined)?.[extension];
      return (kinds as readonly (typeof kind)[] | undefined)?.some(
        (other) => other.group === kind.group && other.version === kind.version && other.kind === kind.kind,
      );
    });
    return name === undefined ? undefined : this.#schemas[name];
  }

  /** What a reference stands for. */
  lookUp(reference: string | undefined): Schema | undefined {
    return reference?.startsWith(PREFIX) ? this.#schemas[reference.slice(PREFIX.length)] : undefined;
  }

  /** The schema itself, or what it refers to. */
  resolve(schema: Schema): Schema {
    return this.lookUp(schema.$ref) ?? schema;
  }
}

const PREFIX = '#/components/schemas/';

/** The schema of the values of a map; undefined for what is none, and for maps of anything. */
export function mapValues({ additionalProperties }: Schema): Schema | undefined {
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}
