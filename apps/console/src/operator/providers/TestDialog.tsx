import { useQuery } from "@tanstack/react-query";
import { Dialog } from "../../ui/Dialog";
import { Notice, Skeleton } from "../../ui/feedback";
import { useApi } from "../api/context";
import type { EffectiveProvider } from "../api/providers";
import type { Tenant } from "../api/tenants";
import { useIsOperator } from "../current-tenant/tenant-context";
import { useTenantUrls } from "../current-tenant/tenant-urls";
import { DetailList } from "../details";
import { ConnectionSteps } from "./ConnectionSteps";
import { callbackDetails, nameOf } from "./provider-details";

type TestProps = {
	tenant: Tenant;
	provider: EffectiveProvider;
	/** From the tenant's OAuth config. */
	redirectURI: string | null | undefined;
};

/** Asks the provider, shows the request of a real sign-in, and lets the operator continue in a new tab. */
export function TestDialog({
	open,
	onClose,
	...props
}: TestProps & { open: boolean; onClose: () => void }) {
	const name = nameOf(props.provider);
	return (
		<Dialog title={`Test ${name}`} open={open} onClose={onClose}>
			<SignInRequest {...props} />
		</Dialog>
	);
}

function SignInRequest({ tenant, provider, redirectURI }: TestProps) {
	const name = nameOf(provider);
	const { signInUrlQuery } = useApi();
	const isOperator = useIsOperator();
	const urls = useTenantUrls(tenant.slug);
	const { data: url, error } = useQuery(signInUrlQuery(tenant, provider.providerId));
	if (error) return <Notice kind="danger">Could not start a sign-in: {error.message}</Notice>;
	if (!url || !urls) return <Skeleton kind="block" />;
	const parameter = (key: string) => url.searchParams.get(key) ?? "–";
	// This sign-in started on the service's host. If the tenant has its own host, it has to start there.
	const nextUrl = urls.tenantOrigin ? urls.signIn : url.href;
	return (
		<>
			{provider.source === "tenant" && (
				<ConnectionSteps tenantId={tenant.id} providerId={provider.providerId} />
			)}
			<p>{name} will get this request:</p>
			<DetailList
				details={[
					{ title: "Host", value: <code>{url.host}</code> },
					{ title: "Client ID", value: <code>{parameter("client_id")}</code> },
					...callbackDetails({ callbackURL: parameter("redirect_uri") }, urls, redirectURI),
					{ title: "Scopes", value: <code>{parameter("scope")}</code> },
				]}
			/>
			<p className="muted small">
				Sign in to test everything, as a user would. This browser will then be signed in as that
				user of {tenant.name}.{" "}
				{isOperator
					? "You stay signed in to the console."
					: "Use a private window to stay signed in here."}
			</p>
			<footer className="dialog-foot">
				<a className="button button-primary" href={nextUrl} target="_blank" rel="noreferrer">
					{urls.tenantOrigin ? "Open the sign-in page" : "Sign in (new tab)"}
				</a>
			</footer>
		</>
	);
}
