import type { Auth } from "../auth";

/**
 * Decides whether users may be sent to a URL, by the rule of Better Auth's endpoints: a path, the host
 * of the page, or a trusted origin. The pages ask before they show a form.
 */
export function trustedTargets(auth: Pick<Auth, "$context">) {
	return async (url: string, ownOrigin?: string): Promise<boolean> => {
		const context = await auth.$context;
		const own = ownOrigin === undefined ? [] : [ownOrigin];
		const trustedOrigins = [...own, ...findTrustedOrigins(context.options)];
		return context.isTrustedOrigin.call({ ...context, trustedOrigins }, url, {
			allowRelativePaths: true,
		});
	};
}

/** The context lists every host of a tenant as well, and a tenant's page must not lead to another one. */
const findTrustedOrigins = ({ trustedOrigins }: { trustedOrigins?: unknown }): string[] =>
	Array.isArray(trustedOrigins) ? trustedOrigins : [];
