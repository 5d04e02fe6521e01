import type { Auth } from "./host";

/** The handler that this package recommends. Until it is exported, Better Auth's own. */
export const ourHandler = (auth: Auth): ((request: Request) => Promise<Response>) => auth.handler;
