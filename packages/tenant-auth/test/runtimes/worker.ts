import type { BetterAuthOptions } from "better-auth";
import { makeHandler } from "./app.ts";

interface Bindings {
	OPEN: BetterAuthOptions["database"];
	GUARDED: BetterAuthOptions["database"];
	FAST: BetterAuthOptions["database"];
}

let handler: ReturnType<typeof makeHandler> | undefined;

export default {
	fetch(request: Request, { OPEN, GUARDED, FAST }: Bindings): Promise<Response> {
		handler ??= makeHandler({ open: OPEN, guarded: GUARDED, fast: FAST });
		// Without this, the reason why the app does not start is only in the log of workerd.
		return handler(request).catch((error: unknown) => new Response(String(error), { status: 500 }));
	},
};
