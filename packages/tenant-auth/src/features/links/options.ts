import type { GenericEndpointContext } from "@better-auth/core";
import { pluginOptions } from "../../call/port/plugin-options";
import type { TenantLinksSchemaNames } from "./schema";

export interface TenantLinksOptions {
	/**
	 * How many days a browser may switch between two users before both must be proven again.
	 *
	 * @default 30
	 */
	days?: number;
	/** Other names for the tables and their columns. */
	schema?: TenantLinksSchemaNames;
}

export type LinkSettings = TenantLinksOptions & Required<Pick<TenantLinksOptions, "days">>;

export const LINKS_PLUGIN = "tenant-auth-links";

const DAY = 24 * 60 * 60;

/** How long a link lasts, in seconds. */
export const lifetimeOf = ({ context }: GenericEndpointContext): number =>
	pluginOptions<LinkSettings>(context, LINKS_PLUGIN, "tenantLinks").days * DAY;
