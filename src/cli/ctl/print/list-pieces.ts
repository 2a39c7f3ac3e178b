import type { JsonObject } from '../../../meta/object.ts';
import { jsonText } from './json.ts';
import type { ListPieces } from './printer.ts';
import { goYaml } from './yaml-writer.ts';

const ITEM_INDENT = '        ';

/** A List in JSON; @param shown what is shown of an item. */
export function jsonPieces(shown: (item: JsonObject) => JsonObject): ListPieces {
  return {
    head: '{\n    "apiVersion": "v1",\n    "items": [',
    item: (object, index) =>
      `${index === 0 ? '' : ','}\n${ITEM_INDENT}${jsonText(shown(object), ITEM_INDENT)}`,
    tail: (count) =>
      `${count === 0 ? '' : '\n    '}],\n    "kind": "List",\n    "metadata": {\n        "resourceVersion": ""\n    }\n}\n`,
  };
}

/** A List in YAML; @param shown what is shown of an item. */
export function yamlPieces(shown: (item: JsonObject) => JsonObject): ListPieces {
  return {
    head: 'apiVersion: v1\n',
    item: (object, index) => `${index === 0 ? 'items:\n' : ''}${goYaml([shown(object)])}`,
    tail: (count) => `${count === 0 ? 'items: []\n' : ''}kind: List\nmetadata:\n  resourceVersion: ""\n`,
  };
}
