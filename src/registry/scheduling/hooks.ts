import type { ResourceHooks } from '../hooks.ts';
import { SYSTEM_CLASSES } from './validate.ts';

/** PriorityClasses: nothing of them changes but their description, and the system's own stay. */
export const priorityClassHooks: ResourceHooks = {
  countsAsChange: () => false,
  undeletable: new Set(SYSTEM_CLASSES.keys()),
};
