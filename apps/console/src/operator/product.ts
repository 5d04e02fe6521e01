export const PRODUCT = "Tenant Auth";

/** The title of a browser tab, with the most specific part first. */
export const titleOf = (...parts: string[]): string => [...parts, PRODUCT].join(" · ");
