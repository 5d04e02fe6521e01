import { createContext, useContext } from "react";
import type { AuthClient } from "../api/auth-client";
import type { LoginOptions } from "./login-options";
import type { Placement } from "./placement";

/** Everything a page knows about its tenant; there is no page without it. */
export type TenantContextValue = {
	options: LoginOptions;
	/** Every call of it names the tenant. */
	client: AuthClient;
	placement: Placement;
	/** The address of one of the tenant's pages, for what is answered by a redirect. */
	pageUrl: (path: string) => string;
};

export const TenantContext = createContext<TenantContextValue | null>(null);

export function useTenant(): TenantContextValue {
	const value = useContext(TenantContext);
	if (!value) throw new Error("useTenant is for what is inside of TenantGate.");
	return value;
}
