import { exactJson } from '../../lib/exact-json.ts';
import type { JsonObject } from '../../meta/object.ts';
import type { ResourceDefinition } from '../../schema/model.ts';
import type { Format, ListFormat } from '../format/format.ts';
import type { Form } from './form.ts';
import { messageForm, type MessageSources } from './message-form.ts';
import { viewFor, type Element, type View, type ViewChoice, type ViewSources } from './views.ts';

/** What the forms of answers need from the other parts of the server. */
export interface FormSources extends ViewSources {
  /** Absent where no encoding is made of objects' messages. */
  readonly messages?: MessageSources;
}

/** The form of an answer, by what was asked for. */
export function formFor(
  resource: ResourceDefinition,
  choice: ViewChoice & { readonly format: Format },
  sources: FormSources,
): Form {
  const { format } = choice;
  if (format.list !== undefined) return textForm(viewFor(resource, choice, sources), format, format.list);
  if (sources.messages === undefined) throw new Error('there are no messages of objects');
  return messageForm(resource, choice, { ...sources, messages: sources.messages });
}

function textForm(view: View, format: Format, list: ListFormat): Form {
  const { element } = list;
  const around = (metadata: JsonObject, length: number): ReturnType<ListFormat['envelope']> =>
    list.envelope(view.listFields(metadata), view.array, length);
  return {
    single: (item) => format.whole(view.single(item)),
    empty(metadata) {
      if (view.emptyArray !== null) return around(metadata, 0).empty;
      return format.whole(Buffer.from(exactJson({ ...view.listFields(metadata), [view.array]: null })));
    },
    frame(metadata, entries) {
      const { open, close } = around(metadata, entries.length);
      return { open, close, separator: list.separator };
    },
    order: (entries) => view.order?.(entries) ?? entries,
    element:
      element === undefined
        ? (entry) => view.element(entry)
        : (entry) => ({
            prefix: undefined,
            bytes: element(join(view.element(entry)), view.elementType),
            start: 0,
          }),
  };
}

function join({ prefix, bytes, start }: Element): Buffer {
  return prefix === undefined ? bytes.subarray(start) : Buffer.concat([prefix, bytes.subarray(start)]);
}
