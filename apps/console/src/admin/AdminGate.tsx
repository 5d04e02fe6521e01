import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useLayoutEffect, useMemo } from "react";
import { Outlet } from "react-router";
import { type ApiClient, ApiError, createApiClient, hasCode } from "../api/client";
import { type LoginOptions, loginOptionsQuery } from "../api/login-options";
import type { PageLocation } from "../api/page-location";
import { applyAccent } from "../design/accent";
import { ApiContext } from "../operator/api/context";
import { ErrorState } from "../ui/feedback";
import { MessagePage } from "../ui/MessagePage";
import { AdminContext, type AdminPlace } from "./admin-context";
import { createAdminApi } from "./api";
import { LeavePage, LoadingPage, NoRightsPage, SessionEndedDialog } from "./message-pages";
import { permissionsQuery } from "./permissions";

type AdminGateProps = { place: PageLocation };

/** Shows nothing about the tenant to anybody who may not manage something in it. */
export function AdminGate({ place }: AdminGateProps) {
	const { slug } = place;
	const { data: options, error, refetch } = useQuery(loginOptionsQuery(slug));
	const isSuspended = hasCode(error, "TENANT_SUSPENDED");
	const branding = options?.branding ?? (isSuspended ? place.suspended?.branding : undefined);
	// In a layout effect, so that the first paint has the right color.
	useLayoutEffect(() => applyAccent(branding?.primaryColor), [branding]);

	if (slug === "" || hasCode(error, "TENANT_NOT_FOUND")) {
		return <MessagePage title="Page not found">There is nothing at this address.</MessagePage>;
	}
	if (isSuspended) return <SuspendedPage name={options?.tenant.name ?? place.suspended?.name} />;
	if (options) return <PermissionGate place={place} options={options} />;
	return error ? <FailedPage error={error} onRetry={refetch} /> : <LoadingPage />;
}

type PermissionGateProps = AdminGateProps & { options: LoginOptions };

function PermissionGate({ place, options }: PermissionGateProps) {
	const { id, name } = options.tenant;
	const client = useMemo(() => createApiClient({ tenant: id }), [id]);
	const { data: permissions, error, refetch } = useQuery(permissionsQuery(client, id));
	const queryClient = useQueryClient();
	/** What could not load without a session is loaded now. */
	const goOn = async () => {
		const { isSuccess } = await refetch();
		if (!isSuccess) return;
		await queryClient.refetchQueries({ predicate: ({ state }) => state.status === "error" });
	};
	const mayListUsers = permissions?.actions.includes("user:list") ?? false;
	const api = useMemo(() => createAdminApi(client, mayListUsers), [client, mayListUsers]);

	if (hasCode(error, "TENANT_SUSPENDED")) return <SuspendedPage name={name} />;
	if (hasCode(error, "TENANT_NOT_FOUND")) {
		return <MessagePage title="Page not found">There is nothing at this address.</MessagePage>;
	}
	if (hasCode(error, "SECOND_FACTOR_REQUIRED"))
		return <LeavePage base={place.base} to="second-factor" />;
	const hasEnded = error instanceof ApiError && error.status === 401;
	if (hasEnded && !permissions) return <LeavePage base={place.base} to="sign-in" />;
	if (!permissions) return error ? <FailedPage error={error} onRetry={refetch} /> : <LoadingPage />;
	if (permissions.actions.length === 0) {
		return (
			<NoRightsPage
				base={place.base}
				tenantName={name}
				isImpersonated={permissions.role === null}
			/>
		);
	}
	return (
		<ApiContext value={api}>
			<AdminContext value={adminPlace(place, options, client, permissions)}>
				<Outlet />
				{/* Forms that are not saved stay behind it. */}
				{hasEnded && <SessionEndedDialog base={place.base} onSignedIn={goOn} />}
			</AdminContext>
		</ApiContext>
	);
}

const adminPlace = (
	{ base }: PageLocation,
	options: LoginOptions,
	client: ApiClient,
	permissions: AdminPlace["permissions"],
): AdminPlace => ({ base, options, client, permissions });

function SuspendedPage({ name }: { name: string | undefined }) {
	return (
		<MessagePage title={name ? `${name} is suspended` : "Suspended"}>
			Nobody can sign in or manage anything until the service resumes it.
		</MessagePage>
	);
}

function FailedPage({ error, onRetry }: { error: Error; onRetry: () => void }) {
	return (
		<main className="gate">
			<h1 className="visually-hidden">Administration</h1>
			<ErrorState error={error} onRetry={onRetry} />
		</main>
	);
}
