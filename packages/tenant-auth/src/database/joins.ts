import type { AuthContext } from "@better-auth/core";

/**
 * Whether the adapter reads a row and the rows that are joined with one statement: the app turned joins
 * on, or uses `better-auth-fast`. Otherwise Better Auth's adapter reads joined rows with another one.
 */
export const joinsAtOnce = ({ options }: AuthContext) => options.advanced?.database?.joins === true;

/** The same for tables of this plugin. The app may not have declared their relations to an ORM. */
export const joinsOwnTables = (ctx: AuthContext) => ctx.adapter.id === "kysely" && joinsAtOnce(ctx);
