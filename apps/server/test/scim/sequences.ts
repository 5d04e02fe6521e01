import { ENTERPRISE, GROUP, PATCH, USER } from "./scim-tenant";

/** A request of a directory, and what it needs to see. `{id}` and `{group}` are ids of earlier responses. */
export type Step = {
	does: string;
	send: [method: string, path: string, body?: object];
	expect: [status: number, body: object | null];
	/** The name of the id that the response has. */
	keeps?: "id" | "group";
};

const LIST = "urn:ietf:params:scim:api:messages:2.0:ListResponse";
const none = { schemas: [LIST], totalResults: 0, Resources: [] };

/** As Okta's test of SCIM 2.0 servers and its provisioning do it (developer.okta.com, "SCIM 2.0"). */
export const OKTA: Step[] = [
	{
		does: "reads one user",
		send: ["GET", "/Users?count=1&startIndex=1"],
		expect: [200, { schemas: [LIST], itemsPerPage: 0, startIndex: 1, Resources: [] }],
	},
	{
		does: "asks for a user who does not exist",
		send: ["GET", "/Users/00919288221112222"],
		expect: [404, { status: "404" }],
	},
	{
		does: "looks for the user",
		send: [
			"GET",
			"/Users?filter=userName%20eq%20%22test.user%40okta.local%22&startIndex=1&count=100",
		],
		expect: [200, none],
	},
	{
		does: "creates the user",
		send: [
			"POST",
			"/Users",
			{
				schemas: [USER],
				userName: "test.user@okta.local",
				name: { givenName: "Test", familyName: "User" },
				emails: [{ primary: true, value: "test.user@okta.local", type: "work" }],
				displayName: "Test User",
				locale: "en-US",
				externalId: "00ujl29u0le5T6Aj10h7",
				groups: [],
				password: "1mz050nq",
				active: true,
			},
		],
		expect: [201, { userName: "test.user@okta.local", active: true }],
		keeps: "id",
	},
	{
		does: "creates the user again",
		send: [
			"POST",
			"/Users",
			{
				schemas: [USER],
				userName: "test.user@okta.local",
				name: { givenName: "Another", familyName: "User" },
				emails: [{ primary: true, value: "test.user@okta.local", type: "work" }],
				active: true,
			},
		],
		expect: [409, { status: "409", scimType: "uniqueness" }],
	},
	{
		does: "reads the user",
		send: ["GET", "/Users/{id}"],
		expect: [200, { name: { givenName: "Test", familyName: "User" }, active: true }],
	},
	{
		does: "finds the user, ignoring case",
		send: ["GET", "/Users?filter=userName%20eq%20%22Test.User%40Okta.local%22"],
		expect: [200, { totalResults: 1, Resources: [{ userName: "test.user@okta.local" }] }],
	},
	{
		does: "changes the profile",
		send: [
			"PUT",
			"/Users/{id}",
			{
				schemas: [USER],
				id: "{id}",
				userName: "test.user@okta.local",
				name: { givenName: "Another", middleName: "Excited", familyName: "User" },
				emails: [{ primary: true, value: "test.user@okta.local", type: "work", display: "x" }],
				active: true,
				groups: [],
				meta: { resourceType: "User" },
			},
		],
		expect: [200, { name: { givenName: "Another", familyName: "User" }, active: true }],
	},
	{
		does: "deactivates the user by PATCH without a path",
		send: [
			"PATCH",
			"/Users/{id}",
			{ schemas: [PATCH], Operations: [{ op: "replace", value: { active: false } }] },
		],
		expect: [200, { active: false }],
	},
	{
		does: "reactivates the user",
		send: [
			"PATCH",
			"/Users/{id}",
			{ schemas: [PATCH], Operations: [{ op: "replace", value: { active: true } }] },
		],
		expect: [200, { active: true }],
	},
	{
		does: "pushes a group",
		send: ["POST", "/Groups", { schemas: [GROUP], displayName: "Test SCIMv2", members: [] }],
		expect: [201, { displayName: "Test SCIMv2" }],
		keeps: "group",
	},
	{
		does: "adds the user to the group",
		send: [
			"PATCH",
			"/Groups/{group}",
			{
				schemas: [PATCH],
				Operations: [
					{
						op: "add",
						path: "members",
						value: [{ value: "{id}", display: "test.user@okta.local" }],
					},
				],
			},
		],
		expect: [200, { members: [{ value: "{id}" }] }],
	},
	{
		does: "renames the group",
		send: [
			"PATCH",
			"/Groups/{group}",
			{
				schemas: [PATCH],
				Operations: [{ op: "replace", value: { id: "{group}", displayName: "Renamed" } }],
			},
		],
		expect: [200, { displayName: "Renamed" }],
	},
	{
		does: "removes the user from the group",
		send: [
			"PATCH",
			"/Groups/{group}",
			{ schemas: [PATCH], Operations: [{ op: "remove", path: 'members[value eq "{id}"]' }] },
		],
		expect: [200, { displayName: "Renamed" }],
	},
	{ does: "deletes the group", send: ["DELETE", "/Groups/{group}"], expect: [204, null] },
	{
		does: "deactivates the user by PUT",
		send: [
			"PUT",
			"/Users/{id}",
			{
				schemas: [USER],
				id: "{id}",
				userName: "test.user@okta.local",
				name: { givenName: "Another", familyName: "User" },
				emails: [{ primary: true, value: "test.user@okta.local", type: "work" }],
				active: false,
			},
		],
		expect: [200, { active: false }],
	},
];

/** As Entra ID does it (learn.microsoft.com, "Develop and plan provisioning for a SCIM endpoint"). */
export const ENTRA: Step[] = [
	{
		does: "tests the connection with a random user",
		send: ["GET", "/Users?filter=userName+eq+%22b1e1cb2e-8d4c-4a1f-9c37-3a2a52ab9dcb%22"],
		expect: [200, none],
	},
	{
		does: "creates the user",
		send: [
			"POST",
			"/Users",
			{
				schemas: [USER, ENTERPRISE],
				externalId: "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
				userName: "Test_User_ab6490ee@testuser.com",
				active: true,
				emails: [{ primary: true, type: "work", value: "Test_User_fd0ea19b@testuser.com" }],
				meta: { resourceType: "User" },
				name: {
					formatted: "givenName familyName",
					familyName: "familyName",
					givenName: "givenName",
				},
				roles: [],
				[ENTERPRISE]: { employeeNumber: "701984", department: "Finance" },
			},
		],
		expect: [201, { userName: "Test_User_ab6490ee@testuser.com", active: true }],
		keeps: "id",
	},
	{
		does: "finds the user by the external id",
		send: ["GET", "/Users?filter=externalId+eq+%220a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef%22"],
		expect: [200, { totalResults: 1 }],
	},
	{
		does: "finds the user by the work email",
		send: [
			"GET",
			"/Users?filter=emails%5Btype+eq+%22work%22%5D.value+eq+%22test_user_fd0ea19b%40testuser.com%22",
		],
		expect: [200, { totalResults: 1 }],
	},
	{
		does: "replaces and adds attributes, with its capital letters",
		send: [
			"PATCH",
			"/Users/{id}",
			{
				schemas: [PATCH],
				Operations: [
					{
						op: "Replace",
						path: 'emails[type eq "work"].value',
						value: "updatedEmail@microsoft.com",
					},
					{ op: "Replace", path: "name.familyName", value: "updatedFamilyName" },
					{ op: "Add", path: "title", value: "Engineer" },
					{ op: "Add", path: `${ENTERPRISE}:department`, value: "Research" },
				],
			},
		],
		expect: [200, { name: { familyName: "updatedFamilyName" }, title: "Engineer" }],
	},
	{
		does: "changes the userName",
		send: [
			"PATCH",
			"/Users/{id}",
			{
				schemas: [PATCH],
				Operations: [
					{
						op: "Replace",
						path: "userName",
						value: "5b50642d-79fc-4410-9e90-4c077cdd1a59@testuser.com",
					},
				],
			},
		],
		expect: [200, { userName: "5b50642d-79fc-4410-9e90-4c077cdd1a59@testuser.com" }],
	},
	{
		does: "creates a group with its own schema",
		send: [
			"POST",
			"/Groups",
			{
				schemas: [
					GROUP,
					"http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group",
				],
				externalId: "8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159",
				displayName: "displayName",
				meta: { resourceType: "Group" },
			},
		],
		expect: [201, { displayName: "displayName" }],
		keeps: "group",
	},
	{
		does: "reads the group without its members",
		send: ["GET", "/Groups/{group}?excludedAttributes=members"],
		expect: [200, { displayName: "displayName" }],
	},
	{
		does: "finds the group",
		send: ["GET", "/Groups?excludedAttributes=members&filter=displayName+eq+%22displayName%22"],
		expect: [200, { totalResults: 1 }],
	},
	{
		does: "adds a member",
		send: [
			"PATCH",
			"/Groups/{group}",
			{
				schemas: [PATCH],
				Operations: [{ op: "Add", path: "members", value: [{ $ref: null, value: "{id}" }] }],
			},
		],
		expect: [200, {}],
	},
	{
		does: "removes the member",
		send: [
			"PATCH",
			"/Groups/{group}",
			{
				schemas: [PATCH],
				Operations: [{ op: "Remove", path: "members", value: [{ $ref: null, value: "{id}" }] }],
			},
		],
		expect: [200, {}],
	},
	{ does: "deletes the group", send: ["DELETE", "/Groups/{group}"], expect: [204, null] },
	{
		does: "disables the user with a text in place of a boolean",
		send: [
			"PATCH",
			"/Users/{id}",
			{ schemas: [PATCH], Operations: [{ op: "Replace", path: "active", value: "False" }] },
		],
		expect: [200, { active: false }],
	},
	{ does: "deletes the user", send: ["DELETE", "/Users/{id}"], expect: [204, null] },
	{
		does: "does not find the user any more",
		send: ["GET", "/Users/{id}"],
		expect: [404, { status: "404" }],
	},
];
