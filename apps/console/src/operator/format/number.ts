const WHOLE = new Intl.NumberFormat("en");

/** `100,000`. */
export const formatCount = (count: number): string => WHOLE.format(count);
