import type { FieldError } from '../../errors/field-error.ts';
import type { NamingProfile } from '../../names/profile.ts';

/** The extensions of schemas that their rules are about, as a naming profile spells them. */
export interface SchemaTerms {
  readonly preserve: string;
  readonly embedded: string;
  readonly intOrString: string;
  readonly listKeys: string;
  readonly listType: string;
  readonly mapType: string;
  readonly validations: string;
}

/** What a check of a schema goes by, and where it says what is wrong. */
export interface SchemaContext {
  readonly terms: SchemaTerms;
  readonly errors: FieldError[];
}

export function schemaTerms(names: NamingProfile): SchemaTerms {
  return {
    preserve: names.get('extension.preserve-unknown-fields'),
    embedded: names.get('extension.embedded-resource'),
    intOrString: names.get('extension.int-or-string'),
    listKeys: names.get('extension.list-map-keys'),
    listType: names.get('extension.list-type'),
    mapType: names.get('extension.map-type'),
    validations: names.get('extension.validations'),
  };
}
