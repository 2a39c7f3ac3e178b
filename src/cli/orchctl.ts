#!/usr/bin/env -S node --max-semi-space-size=4
// What is read and written is soon garbage: a small space for the young halves the memory of long lists, for a tenth of their time.
import { enableCompileCache } from 'node:module';

// Before anything else is loaded: the second start finds the code compiled.
enableCompileCache();
void import('./ctl/process.ts').then(({ runProcess }) => runProcess());
