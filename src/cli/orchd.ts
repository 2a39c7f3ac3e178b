#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

async function main(): Promise<void> {
  const { runServer } = await import('../app/run.ts');
  process.exitCode = await runServer({
    argv: process.argv.slice(2),
    env: process.env,
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
  });
}

// Before anything else is loaded: the second start finds the code compiled.
enableCompileCache();
void main();
