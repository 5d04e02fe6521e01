import { useQuery } from "@tanstack/react-query";
import { Card } from "../../ui/layout";
import type { Application } from "../api/applications";
import { useApi } from "../api/context";
import { type Detail, DetailList, Url } from "../details";
import { Loaded } from "../lists/Loaded";
import { useApplicationOwner } from "./application-owner";
import { TYPES } from "./application-types";
import { Snippets } from "./Snippets";

type ApplicationProps = { application: Application };

/** What a library for OpenID Connect asks for, and code that works with it. */
export function Connection({ application }: ApplicationProps) {
	const { issuer } = useApplicationOwner();
	const { serviceInfoQuery } = useApi();
	const info = useQuery(serviceInfoQuery);
	// The issuer is known as soon as the info is there.
	if (!issuer) return <Loaded query={info}>{() => null}</Loaded>;
	return (
		<div className="connection">
			<Card title="Values" hint="What a library for OpenID Connect asks for.">
				<DetailList
					details={[
						copied("Client ID", application.clientId),
						copied("Issuer", issuer),
						copied("Discovery", `${issuer}/.well-known/openid-configuration`),
					]}
				/>
				<details className="more">
					<summary>Endpoints</summary>
					<p className="muted small">Most libraries read them from the discovery URL.</p>
					<DetailList details={endpointsOf(application, issuer)} />
				</details>
			</Card>
			<Snippets application={application} issuer={issuer} />
		</div>
	);
}

const copied = (title: string, value: string): Detail => ({
	title,
	value: <Url>{value}</Url>,
	copy: value,
});

function endpointsOf({ type }: Application, issuer: string): Detail[] {
	const keys = copied("Keys (JWKS)", `${issuer}/jwks`);
	const token = copied("Token", `${issuer}/oauth2/token`);
	const introspect = copied("Introspection", `${issuer}/oauth2/introspect`);
	const revoke = copied("Revocation", `${issuer}/oauth2/revoke`);
	if (!TYPES[type].hasUsers) return [token, introspect, revoke, keys];
	return [
		copied("Authorization", `${issuer}/oauth2/authorize`),
		token,
		copied("User info", `${issuer}/oauth2/userinfo`),
		copied("Sign-out", `${issuer}/oauth2/end-session`),
		...(TYPES[type].hasSecret ? [introspect] : []),
		revoke,
		keys,
	];
}
