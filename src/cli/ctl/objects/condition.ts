import type { JsonObject } from '../../../meta/object.ts';
import { CtlError } from '../errors.ts';
import { goText } from '../print/go-text.ts';
import { evaluate } from '../print/jsonpath/evaluate.ts';
import { parseRelaxedPath } from '../print/jsonpath/parse.ts';
import { JsonPathError } from '../print/jsonpath/template.ts';

/** What `wait` waits for; undefined stands for no object. */
export type Condition = (object: JsonObject | undefined) => boolean;

/**
 * Reads `delete`, `create`, `condition=NAME[=STATUS]` or `jsonpath=PATH[=VALUE]`.
 *
 * @throws CtlError
 */
export function parseCondition(text: string): Condition {
  if (text === 'delete') return (object) => object === undefined;
  if (text === 'create') return (object) => object !== undefined;
  if (text.startsWith('condition=')) return statusCondition(text.slice('condition='.length));
  if (text.startsWith('jsonpath=')) return pathCondition(text.slice('jsonpath='.length));
  throw new CtlError(`unrecognized condition: ${JSON.stringify(text)}`, {
    hint: "It is delete, create, condition=NAME, or jsonpath='{PATH}'=VALUE.",
  });
}

interface Status {
  readonly observedGeneration?: number;
  readonly conditions?: readonly {
    readonly type?: string;
    readonly status?: string;
    readonly observedGeneration?: number;
  }[];
}

function statusCondition(text: string): Condition {
  const [name = '', wanted = 'true'] = text.split('=');
  return (object) => {
    const { metadata, status } = (object ?? {}) as { metadata?: { generation?: number }; status?: Status };
    const found = status?.conditions?.find(({ type = '' }) => type.toLowerCase() === name.toLowerCase());
    if (found === undefined) return false;
    // A condition of what the object was before doesn't count.
    const seen = found.observedGeneration ?? status?.observedGeneration;
    if (seen !== undefined && seen < (metadata?.generation ?? 0)) return false;
    return found.status?.toLowerCase() === wanted.toLowerCase();
  };
}

function pathCondition(text: string): Condition {
  const [, path = text, wanted] = /^(\{.*\}|[^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  try {
    const template = parseRelaxedPath(path);
    return (object) => {
      if (object === undefined) return false;
      const [values = []] = evaluate(template, object, { allowMissing: true });
      const [value] = values;
      if (value === undefined || value === null) return false;
      return wanted === undefined || (values.length === 1 && goText(value) === wanted);
    };
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    throw new CtlError(`error parsing jsonpath ${path}, ${error.message}`, { cause: error });
  }
}
