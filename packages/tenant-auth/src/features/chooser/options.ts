import type { GenericEndpointContext } from "@better-auth/core";
import { pluginOptions } from "../../call/port/plugin-options";

export interface TenantChooserOptions {
	/**
	 * The page of your app where a user chooses, if several tenants fit: a path or a URL. It gets `?token=`,
	 * for `listTenantChoices` and `chooseTenant`.
	 *
	 * @example
	 * ```ts
	 * chooserURL: "/choose-tenant"
	 * ```
	 */
	chooserURL: string;
}

export const CHOOSER_PLUGIN = "tenant-auth-chooser";

export const chooserOptions = ({ context }: GenericEndpointContext): TenantChooserOptions =>
	pluginOptions(context, CHOOSER_PLUGIN, "tenantChooser");
