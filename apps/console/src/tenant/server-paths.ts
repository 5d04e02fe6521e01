/** Whether the server handles a path of a tenant itself, without a page. Exactly as its own routes compare. */
export const isServerPath = (path: string): boolean =>
	/^\/oauth2\/(authorize|end-session)$/.test(path);
