/**
 * Whether the first field of a page may take the focus. With a touch screen, a keyboard would cover half of
 * the page.
 */
export const mayFocusField = (): boolean => window.matchMedia("(pointer: fine)").matches;
