#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// Before anything else is loaded: the second start finds the code compiled.
enableCompileCache();
const { runProcess } = await import('./ctl/process.ts');
await runProcess();
