export const PRODUCT = "Tenant Auth";

/** The pages of a tenant's administrators have the name of the tenant only. */
const isConsole = () => document.querySelector('meta[name="application-name"]') !== null;

/** The title of a browser tab, with the most specific part first. */
export const titleOf = (...parts: string[]): string =>
	[...parts, ...(isConsole() ? [PRODUCT] : [])].join(" · ");
