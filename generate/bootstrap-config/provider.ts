/** A bootstrapper, as far as its page and its schema go. */
import type { ClaimConfig } from '../../functions/bootstrap/bootstrapper.ts';

export interface Provider {
  /** As a claim names it; also that of its folder. */
  readonly name: string;
  readonly config: ClaimConfig;
}
