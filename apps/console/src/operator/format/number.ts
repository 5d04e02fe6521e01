const WHOLE = new Intl.NumberFormat("en");

/** `100,000`. */
export const formatCount = (count: number): string => WHOLE.format(count);

export const plural = (count: number, one: string, many = `${one}s`): string =>
	`${formatCount(count)} ${count === 1 ? one : many}`;
