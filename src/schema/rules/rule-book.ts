import type { FieldError } from '../../errors/field-error.ts';
import { FieldPath } from '../../errors/field-path.ts';
import { isObject } from '../../meta/fields.ts';
import type { ApiObject, Json, JsonObject } from '../../meta/object.ts';
import type { Field, StructType, ValueType } from '../model.ts';
import type { TypeRules } from './format.ts';
import { changeCheck, fieldCheck, typeChecks } from './struct-rules.ts';
import { typeKey } from '../type-key.ts';

/** What a check of a struct knows besides the struct. */
export interface CheckContext {
  /** The object that all of it belongs to. */
  readonly root: ApiObject;
  /** The same as it is stored, where this is an update. */
  readonly old?: ApiObject | undefined;
  readonly errors: FieldError[];
  /**
   * Asked about a fault before it is added to {@link errors}: whether the object has had a fault of that name since
   * before this update, and may keep it. Such objects were stored when the rule wasn't there yet.
   */
  readonly tolerates: (fault: string) => boolean;
}

/** A rule that the vocabulary can't say: looks at a struct of a type, wherever it stands, and adds what is wrong. */
export type TypeCheck = (struct: JsonObject, at: FieldPath, context: CheckContext) => void;

/** Checks by the type that they are for, such as `core.PodSpec`, in every version. */
export type TypeChecks = Readonly<Record<string, TypeCheck>>;

export interface RuleBookParts {
  /** Reads the built `rules.json`: by type, as checks are. Called once, when the first rule is asked for. */
  readonly rules: () => Readonly<Record<string, TypeRules>>;
  readonly checks: TypeChecks;
  /** What checks of an object need, by its type: loaded before the first is made. */
  readonly loads?: ReadonlyMap<string, () => Promise<void>>;
}

/** What a walk over structs of one type does. */
interface StructWalk {
  readonly check: TypeWalk;
  readonly checkChange?: ChangeWalk;
}
type TypeWalk = (struct: JsonObject, at: FieldPath, context: CheckContext) => void;
type ChangeWalk = (struct: JsonObject, old: JsonObject, at: FieldPath, errors: FieldError[]) => void;

/** Parts of an object that are not checked with the rest: what all objects share, and what other requests write. */
const APART: ReadonlySet<string> = new Set(['metadata', 'status']);

const NOTHING: JsonObject = Object.freeze({});

/**
 * The rules of kinds: those of `schemas/rules/` and the checks that go with them, compiled for a type when the first
 * object of it is written. A part of a type that has no rules costs nothing.
 */
export class RuleBook {
  readonly #parts: RuleBookParts;
  #read: Readonly<Record<string, TypeRules>> | undefined;
  readonly #walks = new Map<StructType, StructWalk>();
  readonly #ruled = new Set<StructType>();
  readonly #loads = new Map<StructType, () => Promise<void> | undefined>();

  constructor(parts: RuleBookParts) {
    this.#parts = parts;
  }

  /** Loads what the checks of an object need; undefined where that is nothing, as it mostly is. */
  load(type: StructType): Promise<void> | undefined {
    let load = this.#loads.get(type);
    if (load === undefined) this.#loads.set(type, (load = this.#parts.loads?.get(typeKey(type)) ?? nothing));
    return load();
  }

  /** What is wrong with an object, its metadata and status left out. @param old what an update changes. */
  check(type: StructType, root: ApiObject, old?: ApiObject): FieldError[] {
    const errors: FieldError[] = [];
    const walk = this.#walkOf(type);
    walk.check(root, FieldPath.ROOT, { root, old, errors, tolerates: toleranceFor(walk, old) });
    if (old !== undefined) walk.checkChange?.(root, old, FieldPath.ROOT, errors);
    return errors;
  }

  /** What is wrong with the status of an object. */
  checkStatus(type: StructType, root: ApiObject, old: ApiObject): FieldError[] {
    const errors: FieldError[] = [];
    const field = type.field.get('status');
    if (field?.type.kind !== 'struct' || !isObject(root['status'])) return errors;
    const walk = this.#walkOf(field.type.struct);
    const at = FieldPath.ROOT.child('status');
    walk.check(root['status'], at, { root, old, errors, tolerates: notAtAll });
    return errors;
  }

  get #rules(): Readonly<Record<string, TypeRules>> {
    return (this.#read ??= this.#parts.rules());
  }

  #walkOf(type: StructType): StructWalk {
    let walk = this.#walks.get(type);
    if (walk === undefined) this.#walks.set(type, (walk = this.#compile(type)));
    return walk;
  }

  #compile(type: StructType): StructWalk {
    const key = typeKey(type);
    const rules = this.#rules[key];
    const check = this.#parts.checks[key];
    const parts: TypeWalk[] = [];
    const changes: ChangeWalk[] = [];
    const isRoot = type.field.has('metadata') && type.field.has('kind');
    const alternatives = alternativesOf(type);
    const present = new Map<string, TypeWalk>();
    for (const field of type.fields) {
      if (isRoot && APART.has(field.name)) continue;
      const { immutable, unchecked, ...asked } = rules?.fields?.[field.name] ?? {};
      if (Object.keys(asked).length > 0) parts.push(fieldCheck(field, asked));
      if (immutable !== undefined) changes.push(changeCheck(field.name, immutable));
      const below = unchecked === true ? undefined : structOf(field.type);
      if (below === undefined || !this.#hasRules(below, new Set())) continue;
      const walk = this.#descend(field, below);
      if (!alternatives.has(field)) parts.push(walk);
      else if (present.size === 0) parts.push(ofPresent(present.set(field.name, walk)));
      else present.set(field.name, walk);
      if (field.type.kind === 'struct') changes.push(this.#descendChange(field.name, below));
    }
    parts.push(...typeChecks(rules ?? {}));
    if (check !== undefined) parts.push(check);
    return {
      check(struct, at, context) {
        for (const part of parts) part(struct, at, context);
      },
      checkChange(struct, old, at, errors) {
        for (const change of changes) change(struct, old, at, errors);
      },
    };
  }

  #descend({ name, type, pointer }: Field, below: StructType): TypeWalk {
    // The walk is looked up when it is first needed: types may be recursive.
    let walk: StructWalk | undefined;
    // A struct that is no pointer is always there, if only empty: what it requires is missing.
    const zero = pointer ? undefined : NOTHING;
    const visit = (value: Json | undefined, at: FieldPath, context: CheckContext): void => {
      if (isObject(value)) (walk ??= this.#walkOf(below)).check(value, at, context);
    };
    switch (type.kind) {
      case 'list':
        return function checkItems(struct, at, context) {
          const list = struct[name];
          if (!Array.isArray(list) || list.length === 0) return;
          const path = at.child(name);
          for (let i = 0; i < list.length; i++) visit(list[i], path.index(i), context);
        };
      case 'map':
        return function checkValues(struct, at, context) {
          const map = struct[name];
          if (!isObject(map)) return;
          const path = at.child(name);
          for (const key of Object.keys(map)) visit(map[key], path.key(key), context);
        };
      default:
        return function checkStruct(struct, at, context) {
          const value = struct[name] ?? zero;
          if (value !== undefined) visit(value, at.child(name), context);
        };
    }
  }

  #descendChange(name: string, below: StructType): ChangeWalk {
    let walk: StructWalk | undefined;
    return (struct, old, at, errors) => {
      const value = struct[name];
      const before = old[name];
      if (!isObject(value) || !isObject(before)) return;
      (walk ??= this.#walkOf(below)).checkChange?.(value, before, at.child(name), errors);
    };
  }

  /** Whether a type, or one that its fields lead to, has rules. @param seen the types on the way here. */
  #hasRules(type: StructType, seen: Set<StructType>): boolean {
    if (this.#ruled.has(type)) return true;
    if (seen.has(type)) return false;
    seen.add(type);
    const key = typeKey(type);
    const found =
      Object.hasOwn(this.#rules, key) ||
      Object.hasOwn(this.#parts.checks, key) ||
      type.fields.some(({ type: value }) => {
        const below = structOf(value);
        return below !== undefined && this.#hasRules(below, seen);
      });
    if (found) this.#ruled.add(type);
    return found;
  }
}

function nothing(): undefined {
  return undefined;
}

function notAtAll(): boolean {
  return false;
}

/** The faults of a stored object are found out when the first is asked about: hardly ever. */
function toleranceFor(walk: StructWalk, old: ApiObject | undefined): CheckContext['tolerates'] {
  if (old === undefined) return notAtAll;
  let known: Set<string> | undefined;
  return function tolerates(fault) {
    known ??= faultsOf(walk, old);
    return known.has(fault);
  };
}

function faultsOf(walk: StructWalk, object: ApiObject): Set<string> {
  const faults = new Set<string>();
  const tolerates = (fault: string): boolean => {
    faults.add(fault);
    return false;
  };
  walk.check(object, FieldPath.ROOT, { root: object, old: object, errors: [], tolerates });
  return faults;
}

/** A struct with as many fields that may be absent is mostly one of many things, as a volume is. */
const MANY = 8;

/** The fields that are looked at only where they are there, since most of them aren't. */
function alternativesOf({ fields }: StructType): ReadonlySet<Field> {
  const optional = fields.filter(({ type, pointer }) => type.kind === 'struct' && pointer);
  return new Set(optional.length < MANY ? [] : optional);
}

/** Goes through the fields that a struct has, instead of those that it may have. */
function ofPresent(walks: ReadonlyMap<string, TypeWalk>): TypeWalk {
  return function checkPresent(struct, at, context) {
    for (const name in struct) walks.get(name)?.(struct, at, context);
  };
}

/** The structs that a value is, or holds in a list or map. */
function structOf(type: ValueType): StructType | undefined {
  switch (type.kind) {
    case 'struct':
      return type.struct;
    case 'list':
      return structOf(type.items);
    case 'map':
      return structOf(type.values);
    default:
      return undefined;
  }
}
