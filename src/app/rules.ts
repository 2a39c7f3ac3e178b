import type { NamingProfile } from '../names/profile.ts';
import type { FlowControlSpecs } from '../registry/flowcontrol/mandatory.ts';
import type { PodSettings } from '../registry/pod/settings.ts';
import { createTypeChecks, KINDS_WITH_EXPRESSIONS } from '../registry/type-checks.ts';
import { LazyExpressions } from '../schema/expressions/lazy.ts';
import type { TypeRules } from '../schema/rules/format.ts';
import { RuleBook } from '../schema/rules/rule-book.ts';
import { readBuilt } from './options/built.ts';

/** The rules of the built-in kinds: the data of `schemas/rules/`, read when the first object is written, and the checks. */
export function openRules(names: NamingProfile, pods: PodSettings): RuleBook {
  const expressions = new LazyExpressions();
  return new RuleBook({
    rules: () => readBuilt(names.name, 'rules') as Record<string, TypeRules>,
    loads: new Map(KINDS_WITH_EXPRESSIONS.map((kind) => [kind, expressions.load])),
    checks: createTypeChecks(names, {
      pods,
      expressions: expressions.checker,
      flowControl: () => (readBuilt(names.name, 'flowcontrol') as { mandatory: FlowControlSpecs }).mandatory,
    }),
  });
}
