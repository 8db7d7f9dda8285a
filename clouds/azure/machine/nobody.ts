/**
 * A public SSH key that nobody has the private key of: Azure creates no machine without one. Its 32 bytes are the SHA-256
 * of a sentence, and no private key of Ed25519 leads to bytes that were chosen so. A test computes it.
 */
export const NOBODY_SENTENCE = 'slipway: nobody has the private key of this public key';

export const NOBODY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFOwjMNG/Znvq5pXKv1RZaKxUnRQPOxOlGzQdijCYrOH nobody';
