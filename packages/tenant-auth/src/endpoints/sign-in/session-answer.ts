import type { GenericEndpointContext } from "@better-auth/core";
import type { Session, User } from "@better-auth/core/db";
import { parseSessionOutput } from "better-auth/db";
import type { CoreAnswer } from "../dispatch-core";

/** The user and session that a tenant's sign-in answers with. */
export interface SessionAnswer {
	token: string | null;
	user: User & { tenantId: string };
	session: (Session & { tenantId: string }) | null;
	/** As core has them. */
	redirect?: boolean;
	url?: string;
}

/** Core's answer with the session beside it. What has no user (a second factor) goes as it is. */
export function withSession(ctx: GenericEndpointContext, answer: CoreAnswer): SessionAnswer {
	const { response, newSession } = answer;
	if (response === null || typeof response !== "object" || !("user" in response)) {
		return response as SessionAnswer;
	}
	const session = newSession ? parseSessionOutput(ctx.context.options, newSession.session) : null;
	return { ...response, session } as SessionAnswer;
}
