import type { JsonObject } from '../../../../meta/object.ts';
import { parseLabelSelector } from '../../../../meta/label-selector.ts';
import { SelectorError } from '../../../../meta/selector-error.ts';
import { defineCommand } from '../../command.ts';
import { requireName } from '../../create/name.ts';
import { CtlError } from '../../errors.ts';
import { CREATE_FLAGS, createObject } from '../../objects/create-object.ts';

export const podDisruptionBudget = defineCommand({
  usage: 'NAME --selector=SELECTOR (--min-available=N | --max-unavailable=N)',
  description: 'Create a budget: how many pods of a set may be taken away at a time.',
  examples: `
    orchctl create poddisruptionbudget web --selector=app=web --min-available=1
    orchctl create pdb web --selector=app=web --max-unavailable=50%`,
  flags: {
    ...CREATE_FLAGS,
    selector: { type: 'text', default: '', help: 'The labels of the pods.' },
    'min-available': { type: 'text', default: '', help: 'How many must stay: a number or N%.' },
    'max-unavailable': { type: 'text', default: '', help: 'How many may be away: a number or N%.' },
  },
  async run({ context, flags, args }) {
    const name = requireName(args);
    const { selector, 'min-available': minAvailable, 'max-unavailable': maxUnavailable } = flags;
    if (selector === '') throw new CtlError('a selector must be specified');
    if (minAvailable === '' && maxUnavailable === '')
      throw new CtlError('one of min-available or max-unavailable must be specified');
    if (minAvailable !== '' && maxUnavailable !== '')
      throw new CtlError('min-available and max-unavailable cannot be both specified');
    await createObject(context, flags, {
      object: {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name },
        spec: {
          selector: selectorObject(selector),
          ...(minAvailable === ''
            ? { maxUnavailable: countOf(maxUnavailable, 'max-unavailable') }
            : { minAvailable: countOf(minAvailable, 'min-available') }),
        },
        status: { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 },
      },
      inNamespace: true,
    });
  },
});

function countOf(text: string, flag: string): number | string {
  if (!/^\d{1,9}%?$/.test(text)) throw new CtlError(`invalid format specified for ${flag}`);
  return text.endsWith('%') ? text : Number(text);
}

const OPERATORS: Readonly<Record<string, string>> = {
  in: 'In',
  notin: 'NotIn',
  exists: 'Exists',
  notexists: 'DoesNotExist',
};

/** The `LabelSelector` object of a text. @throws CtlError */
function selectorObject(text: string): JsonObject {
  const matchLabels: Record<string, string> = {};
  const matchExpressions: JsonObject[] = [];
  for (const { key, operator, values } of requirementsOf(text)) {
    const [value = '', more] = values;
    if (operator === 'in' && more === undefined) {
      matchLabels[key] = value;
      continue;
    }
    const name = OPERATORS[operator];
    if (name === undefined) throw new CtlError(`"${operator}" isn't supported in label selectors`);
    matchExpressions.push({ key, operator: name, ...(values.length === 0 ? {} : { values: [...values] }) });
  }
  return {
    ...(matchExpressions.length === 0 ? {} : { matchExpressions }),
    ...(Object.keys(matchLabels).length === 0 ? {} : { matchLabels }),
  };
}

function requirementsOf(text: string): ReturnType<typeof parseLabelSelector>['requirements'] {
  try {
    return parseLabelSelector(text).requirements;
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    throw new CtlError(`--selector: ${error.message}`, { cause: error });
  }
}
