import { serve } from '#lib/wire/serve.ts';

void serve('function-provisioning', () => import('./fn.ts'));
