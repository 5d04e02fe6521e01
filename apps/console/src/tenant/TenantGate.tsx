import { type ReactNode, useLayoutEffect, useMemo } from "react";
import { ApiError } from "../api/api-error";
import { authClient } from "../api/auth-client";
import { applyAccent } from "../design/accent";
import { Button } from "../ui/Button";
import { LoadingPage } from "./LoadingPage";
import { useLoginOptions } from "./login-options";
import { PlainPage } from "./PlainPage";
import type { Placement } from "./placement";
import { TenantContext, type TenantContextValue } from "./tenant-context";

/** Shows nothing of any tenant before this one's options are there. */
export function TenantGate({ placement, children }: { placement: Placement; children: ReactNode }) {
	const { data: options, error, refetch } = useLoginOptions(placement.slug);

	// Before the first paint of what it colours.
	useLayoutEffect(() => applyAccent(options?.branding.primaryColor), [options]);

	const value = useMemo<TenantContextValue | null>(
		() =>
			options
				? {
						options,
						placement,
						client: authClient({ tenant: options.tenant.id }),
						pageUrl: (path) => `${placement.base}/${path}`,
					}
				: null,
		[options, placement],
	);

	const code = error instanceof ApiError ? error.code : "";
	if (placement.slug === "" || code === "TENANT_NOT_FOUND") {
		return (
			<PlainPage title="There is nothing here">
				No organisation has its pages at this address. Check the link you followed, or ask whoever
				sent it to you.
			</PlainPage>
		);
	}
	if (code === "TENANT_SUSPENDED") {
		return (
			<PlainPage title="Sign-in is paused">
				This organisation’s accounts are suspended for the time being. Nothing has been deleted.
				Please ask your organisation’s administrator.
			</PlainPage>
		);
	}
	if (error && !options) {
		return (
			<PlainPage
				title="This page could not be loaded"
				action={<Button onClick={() => refetch()}>Try again</Button>}
			>
				{error.message}
			</PlainPage>
		);
	}
	return value ? <TenantContext value={value}>{children}</TenantContext> : <LoadingPage />;
}
