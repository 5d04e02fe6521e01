/** How long the old secret of an application may work beside the new one. */
export const MAX_OVERLAP_HOURS = 24;
