/**
 * The image of the pod that runs updaters, of this release. `npm run package` makes it (package/build/updater-image.ts),
 * always with this digest.
 */
export const UPDATER_IMAGE =
  'xpkg.crossplane.io/slipway/node-updater@sha256:731d8c321c18a155e5122462b18d499fcc2ffd87ec8a6c69fe1f990cdd5ac207';
