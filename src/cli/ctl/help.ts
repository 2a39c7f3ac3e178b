import type { Command, CommandEntry, CommandGroup, CommandSection } from './command.ts';
import type { Flag, Flags } from './flags/flag.ts';

const WIDTH = 100;

/** What `orchctl --help` says. */
export function rootHelp(sections: readonly CommandSection[]): string {
  const lists = sections.map(({ title, commands }) => `${title}:\n${commandList(commands)}`);
  return `orchctl talks to control planes that serve the Kubernetes resource API, in either naming profile.

${lists.join('\n')}
Usage:
  orchctl [command] [flags]

"orchctl <command> --help" tells more about a command, "orchctl options" lists the flags that all commands take.
`;
}

/** What a group of commands says, such as `orchctl config --help`. */
export function groupHelp(name: string, { description, commands }: CommandGroup): string {
  return `${description}\n\nCommands:\n${commandList(commands)}
Usage:
  ${name} [command] [flags]
`;
}

/** What a command says. */
export function commandHelp(name: string, command: Command): string {
  const { description, examples, usage, flags } = command;
  const shown = Object.values(flags).some(({ hidden }) => hidden !== true);
  return [
    wrap(description, ''),
    ...(examples === undefined ? [] : [`Examples:\n${indented(examples)}`]),
    ...(shown ? [`Flags:\n${flagList(flags)}`] : []),
    `Usage:\n  ${`${name} ${usage}`.trim()}\n`,
    `"orchctl options" lists the flags that all commands take.\n`,
  ].join('\n');
}

/** One flag a paragraph, in alphabetical order. */
export function flagList(flags: Flags): string {
  return Object.entries(flags)
    .filter(([, { hidden }]) => hidden !== true)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, flag]) => `    ${flagSyntax(name, flag)}:\n${wrap(flag.help, '        ')}`)
    .join('\n');
}

function flagSyntax(name: string, flag: Flag): string {
  const short = flag.short === undefined ? '' : `-${flag.short}, `;
  return `${short}--${name}=${flagDefault(flag)}`;
}

function flagDefault(flag: Flag): string {
  switch (flag.type) {
    case 'switch':
      return String(flag.default ?? false);
    case 'text':
      return `'${flag.default ?? ''}'`;
    case 'number':
      return String(flag.default ?? '');
    case 'duration':
      return `${(flag.default ?? 0) / 1000}s`;
    case 'list':
      return '[]';
  }
}

function commandList(commands: readonly CommandEntry[]): string {
  const shown = commands.filter(({ hidden }) => hidden !== true);
  if (shown.length === 0) return '';
  const width = Math.max(...shown.map(({ name }) => name.length));
  return shown.map(({ name, summary }) => `  ${name.padEnd(width)}   ${summary}\n`).join('');
}

function indented(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `${line === '' ? '' : `  ${line.trim()}`}\n`)
    .join('');
}

function wrap(text: string, indent: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && indent.length + line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? word : ` ${word}`;
  }
  return [...lines, line].map((words) => `${indent}${words}\n`).join('');
}
