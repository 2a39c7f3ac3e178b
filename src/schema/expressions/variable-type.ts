/** Type of a variable or field: a type's name, e.g. `string` or `map<string, dyn>`, or the types of an object's fields. */
export type VariableType = string | { readonly [field: string]: VariableType };
