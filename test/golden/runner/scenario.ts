import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from '../../../src/meta/object.ts';

/** What a step sends. Exactly one of body, raw, b64 and proto carries the content, if any. */
export interface GoldenRequest {
  method: string;
  path: string;
  /** null removes a header that the runner would send. */
  headers?: Record<string, string | null>;
  body?: Json;
  raw?: string;
  b64?: string;
  /** Content to be sent as Protobuf. */
  proto?: JsonObject;
  /** Puts a string of that many bytes at a JSON pointer of the body. */
  fill?: { at: string; bytes: number; char?: string };
}

/** What the reference answered. Strings may hold matchers such as `<<uid>>`. */
export interface GoldenResponse {
  status: number;
  headers?: Record<string, string>;
  /** Number of Warning headers. */
  warnings?: number;
  body?: Json;
  events?: Json;
  text?: string;
}

export interface GoldenStep {
  req?: GoldenRequest;
  note?: string;
  /** Variable -> JSON pointer into the answer. */
  capture?: Record<string, string>;
  /** Repeat until the answer is the expected one, at most `ms`. */
  poll?: { ms: number; every?: number };
  /** Compare only these JSON pointers. */
  pick?: string[];
  noBody?: boolean;
  text?: 'exact' | 'yaml';
  sleep?: number;
  /** The answer is a watch stream. */
  watch?: Json;
  /** Start a watch in the background under this name. */
  open?: string;
  /** Compare what the watch of this name has delivered. */
  collect?: string;
  res: GoldenResponse;
}

export interface Scenario {
  name: string;
  topic: string;
  /** Namespaces made before it and removed afterwards. */
  namespaces: string[];
  /** Whether the ServiceAccount `default` must exist in them. */
  serviceAccount: boolean;
  nsLabels: Record<string, string>;
  steps: GoldenStep[];
}

interface Header {
  scenario: string;
  topic: string;
  namespaces?: string[];
  serviceAccount?: boolean;
  nsLabels?: Record<string, string>;
}

/** Reads every `*.jsonl` of a folder: a header line starts a scenario, the lines after it are its steps. */
export function loadScenarios(directory: string): Scenario[] {
  const scenarios: Scenario[] = [];
  for (const file of readdirSync(directory).sort()) {
    if (!file.endsWith('.jsonl')) continue;
    for (const line of readFileSync(join(directory, file), 'utf8').split('\n')) {
      if (line.trim() !== '') addLine(scenarios, JSON.parse(line) as Header | GoldenStep);
    }
  }
  return scenarios;
}

function addLine(scenarios: Scenario[], line: Header | GoldenStep): void {
  if ('scenario' in line) {
    scenarios.push({
      name: line.scenario,
      topic: line.topic,
      namespaces: line.namespaces ?? ['${ns}'],
      serviceAccount: line.serviceAccount ?? false,
      nsLabels: line.nsLabels ?? {},
      steps: [],
    });
    return;
  }
  const current = scenarios.at(-1);
  if (current === undefined) throw new Error('a step before the first scenario');
  current.steps.push(line);
}
