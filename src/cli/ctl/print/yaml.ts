import type { JsonObject } from '../../../meta/object.ts';
import { goYaml } from './yaml-writer.ts';

/** YAML as kubectl writes it; documents after the first begin with `---`. */
export class YamlPrinter {
  #printed = 0;

  print(object: JsonObject): string {
    const text = goYaml(object);
    return this.#printed++ === 0 ? text : `---\n${text}`;
  }
}
