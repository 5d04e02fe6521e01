/** What a framework was told to set, by name. An empty value deletes a cookie. */
export const frameworkCookies = new Map<string, string>();

export const setCookie = (name: string, value: string) => {
	frameworkCookies.set(name, value);
};

/*
 * `vitest.config.ts` puts this file in place of `next/headers.js` and of the server modules of TanStack
 * Start, which are not installed. The cookie plugins of Better Auth import them.
 */
/** @public */
export const headers = async () => new Headers();
/** @public */
export const cookies = async () => ({ set: setCookie });
