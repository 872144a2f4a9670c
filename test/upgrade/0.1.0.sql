-- Its API token: upn_5VW6gxCkcd3yhcbtsQzQkhoIJop6CMhoq3KQs1-6eD0
--
-- PostgreSQL database dump
--


-- Dumped from database version 15.20 (Debian 15.20-0+deb12u1)
-- Dumped by pg_dump version 15.20 (Debian 15.20-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: service; Type: SCHEMA; Schema: -; Owner: -
--

CREATE SCHEMA service;


--
-- Name: SCHEMA service; Type: COMMENT; Schema: -; Owner: -
--

COMMENT ON SCHEMA service IS '0.1.0';


--
-- Name: upnext; Type: SCHEMA; Schema: -; Owner: -
--

CREATE SCHEMA upnext;


--
-- Name: SCHEMA upnext; Type: COMMENT; Schema: -; Owner: -
--

COMMENT ON SCHEMA upnext IS '0.1.0';


--
-- Name: delete_expired_audit_entries(); Type: FUNCTION; Schema: upnext; Owner: -
--

CREATE FUNCTION upnext.delete_expired_audit_entries() RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO ''
    AS $$
        delete from upnext.audit_entry
        where at < now() - make_interval(days => (select days from upnext.audit_retention))
          or exists (
            select from upnext.uninstallation
            where uninstallation.team_id = audit_entry.team_id and is_confirmed and uninstalled_at <=
              now() - make_interval(days => (select days_after_uninstallation from upnext.audit_retention))
          )
      $$;


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: account; Type: TABLE; Schema: service; Owner: -
--

CREATE TABLE service.account (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    project_id uuid NOT NULL,
    platform text NOT NULL,
    publisher text NOT NULL,
    name text NOT NULL,
    target text NOT NULL,
    credentials text,
    settings jsonb NOT NULL,
    is_connected boolean NOT NULL,
    problem text,
    checked_at timestamp with time zone NOT NULL,
    paused_until timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT account_publisher_check CHECK ((publisher = ANY (ARRAY['TELEGRAM'::text, 'POSTIZ'::text, 'WEBHOOK'::text])))
);


--
-- Name: heartbeat; Type: TABLE; Schema: service; Owner: -
--

CREATE TABLE service.heartbeat (
    id boolean DEFAULT true NOT NULL,
    at timestamp with time zone NOT NULL,
    gap_from timestamp with time zone,
    gap_to timestamp with time zone,
    CONSTRAINT heartbeat_id_check CHECK (id)
);


--
-- Name: idempotency_key; Type: TABLE; Schema: service; Owner: -
--

CREATE TABLE service.idempotency_key (
    user_id uuid NOT NULL,
    key text NOT NULL,
    request_hash bytea NOT NULL,
    data json,
    used_at timestamp with time zone NOT NULL
);


--
-- Name: job; Type: TABLE; Schema: service; Owner: -
--

CREATE TABLE service.job (
    kind text NOT NULL,
    id text NOT NULL,
    key text NOT NULL,
    seq bigint NOT NULL,
    owner text,
    data jsonb,
    added_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL,
    blocks_until timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    problem text,
    version integer DEFAULT 1 NOT NULL,
    lease uuid,
    leased_until timestamp with time zone
);


--
-- Name: job_seq_seq; Type: SEQUENCE; Schema: service; Owner: -
--

ALTER TABLE service.job ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME service.job_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: kysely_migration; Type: TABLE; Schema: service; Owner: -
--

CREATE TABLE service.kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);


--
-- Name: kysely_migration_lock; Type: TABLE; Schema: service; Owner: -
--

CREATE TABLE service.kysely_migration_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: log; Type: TABLE; Schema: service; Owner: -
--

CREATE TABLE service.log (
    id bigint NOT NULL,
    project_id uuid,
    level text NOT NULL,
    action text NOT NULL,
    message text NOT NULL,
    actor text NOT NULL,
    target_id text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    request_id text,
    CONSTRAINT log_level_check CHECK ((level = ANY (ARRAY['INFO'::text, 'WARNING'::text, 'ERROR'::text])))
);


--
-- Name: log_id_seq; Type: SEQUENCE; Schema: service; Owner: -
--

ALTER TABLE service.log ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME service.log_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: person; Type: TABLE; Schema: service; Owner: -
--

CREATE TABLE service.person (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    email text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: post; Type: TABLE; Schema: service; Owner: -
--

CREATE TABLE service.post (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    project_id uuid NOT NULL,
    content text,
    media text,
    template_id uuid,
    prompt_id uuid,
    schedule_date timestamp with time zone,
    timezone text,
    platforms text[] NOT NULL,
    status text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    published_at timestamp with time zone,
    version integer DEFAULT 1 NOT NULL,
    media_description text,
    titles jsonb,
    results jsonb,
    texts jsonb,
    CONSTRAINT post_status_check CHECK ((status = ANY (ARRAY['DRAFT'::text, 'SCHEDULED'::text, 'PUBLISHED'::text, 'FAILED'::text])))
);


--
-- Name: project; Type: TABLE; Schema: service; Owner: -
--

CREATE TABLE service.project (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    is_bot_only boolean DEFAULT false NOT NULL
);


--
-- Name: project_user; Type: TABLE; Schema: service; Owner: -
--

CREATE TABLE service.project_user (
    project_id uuid NOT NULL,
    user_id uuid NOT NULL,
    first_name text,
    last_name text,
    phone_number text,
    role text NOT NULL,
    status text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT project_user_role_check CHECK ((role = ANY (ARRAY['VIEWER'::text, 'EDITOR'::text, 'ADMIN'::text]))),
    CONSTRAINT project_user_status_check CHECK ((status = ANY (ARRAY['ACTIVE'::text, 'INACTIVE'::text])))
);


--
-- Name: prompt; Type: TABLE; Schema: service; Owner: -
--

CREATE TABLE service.prompt (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    project_id uuid NOT NULL,
    title text NOT NULL,
    prompt_text text NOT NULL,
    description text,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: source; Type: TABLE; Schema: service; Owner: -
--

CREATE TABLE service.source (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    project_id uuid NOT NULL,
    source text NOT NULL,
    description text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: staged_file; Type: TABLE; Schema: service; Owner: -
--

CREATE TABLE service.staged_file (
    token_id uuid NOT NULL,
    name text NOT NULL,
    content bytea NOT NULL,
    staged_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: template; Type: TABLE; Schema: service; Owner: -
--

CREATE TABLE service.template (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    project_id uuid NOT NULL,
    title text NOT NULL,
    content text NOT NULL,
    description text,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: token; Type: TABLE; Schema: service; Owner: -
--

CREATE TABLE service.token (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    user_id uuid NOT NULL,
    hash bytea NOT NULL,
    label text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    revoked_at timestamp with time zone
);


--
-- Name: webhook; Type: TABLE; Schema: service; Owner: -
--

CREATE TABLE service.webhook (
    project_id uuid NOT NULL,
    url text NOT NULL,
    secret text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);


--
-- Name: alert; Type: TABLE; Schema: upnext; Owner: -
--

CREATE TABLE upnext.alert (
    id text NOT NULL,
    team_id text NOT NULL,
    project_id text NOT NULL,
    project_name text NOT NULL,
    recipient text NOT NULL,
    problems jsonb NOT NULL,
    is_open boolean NOT NULL,
    channel_id text,
    ts text,
    changed_at timestamp with time zone NOT NULL
);


--
-- Name: alert_channel; Type: TABLE; Schema: upnext; Owner: -
--

CREATE TABLE upnext.alert_channel (
    team_id text NOT NULL,
    channel_id text NOT NULL,
    project_id text NOT NULL,
    published_since timestamp with time zone
);


--
-- Name: approval; Type: TABLE; Schema: upnext; Owner: -
--

CREATE TABLE upnext.approval (
    item_id uuid NOT NULL,
    group_id uuid NOT NULL,
    team_id text NOT NULL,
    project_id text NOT NULL,
    author text NOT NULL,
    changed_by text NOT NULL,
    version text NOT NULL,
    earlier_text text,
    state text NOT NULL,
    decisions jsonb NOT NULL,
    asked_at timestamp with time zone NOT NULL,
    reminders integer DEFAULT 0 NOT NULL,
    CONSTRAINT approval_state_check CHECK ((state = ANY (ARRAY['asked'::text, 'approved'::text, 'changes wanted'::text, 'over'::text])))
);


--
-- Name: approval_message; Type: TABLE; Schema: upnext; Owner: -
--

CREATE TABLE upnext.approval_message (
    team_id text NOT NULL,
    group_id uuid NOT NULL,
    recipient text NOT NULL,
    channel_id text,
    ts text,
    shown text NOT NULL,
    updated_at timestamp with time zone NOT NULL
);


--
-- Name: approval_rule; Type: TABLE; Schema: upnext; Owner: -
--

CREATE TABLE upnext.approval_rule (
    team_id text NOT NULL,
    project_id text NOT NULL,
    is_optional boolean NOT NULL,
    approvers text[] NOT NULL,
    user_group text,
    channel_id text,
    admins_may_approve boolean NOT NULL,
    needs_all boolean NOT NULL,
    authors_may_approve boolean NOT NULL
);


--
-- Name: audit_entry; Type: TABLE; Schema: upnext; Owner: -
--

CREATE TABLE upnext.audit_entry (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    team_id text NOT NULL,
    user_id text NOT NULL,
    user_team_id text NOT NULL,
    action text NOT NULL,
    project_id text,
    target text,
    detail text,
    outcome text NOT NULL,
    request_id text NOT NULL
);


--
-- Name: audit_entry_id_seq; Type: SEQUENCE; Schema: upnext; Owner: -
--

ALTER TABLE upnext.audit_entry ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME upnext.audit_entry_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: audit_retention; Type: TABLE; Schema: upnext; Owner: -
--

CREATE TABLE upnext.audit_retention (
    only_row boolean DEFAULT true NOT NULL,
    days integer NOT NULL,
    days_after_uninstallation integer NOT NULL,
    CONSTRAINT audit_retention_only_row_check CHECK (only_row)
);


--
-- Name: channel_project; Type: TABLE; Schema: upnext; Owner: -
--

CREATE TABLE upnext.channel_project (
    team_id text NOT NULL,
    channel_id text NOT NULL,
    project_id text NOT NULL,
    linked_by text,
    linked_at timestamp with time zone NOT NULL
);


--
-- Name: digest; Type: TABLE; Schema: upnext; Owner: -
--

CREATE TABLE upnext.digest (
    id uuid NOT NULL,
    team_id text NOT NULL,
    channel_id text NOT NULL,
    project_id text NOT NULL,
    project_name text NOT NULL,
    recurrence jsonb NOT NULL,
    sections text[] NOT NULL,
    when_empty text NOT NULL,
    owner_id text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    paused_reason text,
    next_at timestamp with time zone NOT NULL,
    post_at timestamp with time zone,
    requested_at timestamp with time zone,
    message_id text,
    message_covers timestamp with time zone,
    last_at timestamp with time zone,
    covered_until timestamp with time zone,
    CONSTRAINT digest_when_empty_check CHECK ((when_empty = ANY (ARRAY['post'::text, 'skip'::text])))
);


--
-- Name: digest_content; Type: TABLE; Schema: upnext; Owner: -
--

CREATE TABLE upnext.digest_content (
    id uuid NOT NULL,
    team_id text NOT NULL,
    content jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL
);


--
-- Name: holding_channel; Type: TABLE; Schema: upnext; Owner: -
--

CREATE TABLE upnext.holding_channel (
    team_id text NOT NULL,
    channel_id text NOT NULL
);


--
-- Name: installation; Type: TABLE; Schema: upnext; Owner: -
--

CREATE TABLE upnext.installation (
    only_row boolean DEFAULT true NOT NULL,
    team_id text NOT NULL,
    CONSTRAINT installation_only_row_check CHECK (only_row)
);


--
-- Name: job; Type: TABLE; Schema: upnext; Owner: -
--

CREATE TABLE upnext.job (
    kind text NOT NULL,
    id text NOT NULL,
    key text NOT NULL,
    seq bigint NOT NULL,
    owner text,
    data jsonb,
    added_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL,
    blocks_until timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    problem text,
    version integer DEFAULT 1 NOT NULL,
    lease uuid,
    leased_until timestamp with time zone
);


--
-- Name: TABLE job; Type: COMMENT; Schema: upnext; Owner: -
--

COMMENT ON TABLE upnext.job IS '7712812350246357218 16640 16736';


--
-- Name: job_seq_seq; Type: SEQUENCE; Schema: upnext; Owner: -
--

ALTER TABLE upnext.job ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME upnext.job_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: known_record; Type: TABLE; Schema: upnext; Owner: -
--

CREATE TABLE upnext.known_record (
    team_id text NOT NULL,
    project_id text NOT NULL,
    kind text NOT NULL,
    record_id text NOT NULL,
    name text,
    email text,
    last_seen_at timestamp with time zone NOT NULL,
    CONSTRAINT known_record_kind_check CHECK ((kind = ANY (ARRAY['user'::text, 'prompt'::text, 'role'::text, 'status'::text])))
);


--
-- Name: kysely_migration; Type: TABLE; Schema: upnext; Owner: -
--

CREATE TABLE upnext.kysely_migration (
    name character varying(255) NOT NULL,
    "timestamp" character varying(255) NOT NULL
);


--
-- Name: kysely_migration_lock; Type: TABLE; Schema: upnext; Owner: -
--

CREATE TABLE upnext.kysely_migration_lock (
    id character varying(255) NOT NULL,
    is_locked integer DEFAULT 0 NOT NULL
);


--
-- Name: media_chunk; Type: TABLE; Schema: upnext; Owner: -
--

CREATE TABLE upnext.media_chunk (
    file_id uuid NOT NULL,
    "position" integer NOT NULL,
    bytes bytea NOT NULL
);
ALTER TABLE ONLY upnext.media_chunk ALTER COLUMN bytes SET STORAGE EXTERNAL;


--
-- Name: media_file; Type: TABLE; Schema: upnext; Owner: -
--

CREATE TABLE upnext.media_file (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    team_id text NOT NULL,
    content_type text NOT NULL,
    hash text,
    size integer DEFAULT 0 NOT NULL,
    width integer,
    height integer,
    seconds double precision,
    thumbnail bytea,
    created_at timestamp with time zone NOT NULL
);


--
-- Name: media_upload; Type: TABLE; Schema: upnext; Owner: -
--

CREATE TABLE upnext.media_upload (
    name text NOT NULL,
    file_id uuid NOT NULL,
    team_id text NOT NULL,
    user_id text NOT NULL,
    file_name text NOT NULL,
    alt_text text,
    uploaded_at timestamp with time zone NOT NULL,
    slack_file_id text,
    last_used_at timestamp with time zone
);


--
-- Name: open_form; Type: TABLE; Schema: upnext; Owner: -
--

CREATE TABLE upnext.open_form (
    view_id text NOT NULL,
    team_id text NOT NULL,
    user_id text NOT NULL,
    form text NOT NULL,
    form_values jsonb NOT NULL,
    action_ts text NOT NULL,
    saved_at timestamp with time zone NOT NULL,
    submitted_view jsonb
);


--
-- Name: outbox_item; Type: TABLE; Schema: upnext; Owner: -
--

CREATE TABLE upnext.outbox_item (
    id uuid NOT NULL,
    seq bigint NOT NULL,
    view_id text NOT NULL,
    team_id text NOT NULL,
    user_id text NOT NULL,
    user_team_id text NOT NULL,
    channel_id text,
    form text NOT NULL,
    project_id text NOT NULL,
    project_name text NOT NULL,
    form_values jsonb,
    body jsonb,
    notify_channel boolean NOT NULL,
    state text NOT NULL,
    needs_answer boolean DEFAULT false NOT NULL,
    accepted_at timestamp with time zone NOT NULL,
    attempted_at timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    absent_since timestamp with time zone,
    record_id text,
    found_by_lookup boolean DEFAULT false NOT NULL,
    record jsonb,
    failure jsonb,
    finished_at timestamp with time zone,
    held_until timestamp with time zone,
    version integer DEFAULT 1 NOT NULL,
    slack_file jsonb,
    opened_record jsonb,
    progress_channel text,
    progress_ts text,
    warnings text,
    keyed_at timestamp with time zone,
    batch_id uuid,
    CONSTRAINT outbox_item_state_check CHECK ((state = ANY (ARRAY['uploading'::text, 'queued'::text, 'unconfirmed'::text, 'held'::text, 'sent'::text, 'refused'::text, 'missed'::text, 'expired'::text])))
);


--
-- Name: outbox_item_seq_seq; Type: SEQUENCE; Schema: upnext; Owner: -
--

ALTER TABLE upnext.outbox_item ALTER COLUMN seq ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME upnext.outbox_item_seq_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: plan; Type: TABLE; Schema: upnext; Owner: -
--

CREATE TABLE upnext.plan (
    id uuid NOT NULL,
    team_id text NOT NULL,
    user_id text NOT NULL,
    user_team_id text NOT NULL,
    channel_id text,
    project_id text NOT NULL,
    project_name text NOT NULL,
    state text NOT NULL,
    source jsonb NOT NULL,
    rows jsonb NOT NULL,
    notes text[] NOT NULL,
    view_id text,
    message_channel text,
    message_ts text,
    created_at timestamp with time zone NOT NULL,
    sent_at timestamp with time zone,
    CONSTRAINT plan_state_check CHECK ((state = ANY (ARRAY['received'::text, 'review'::text, 'sending'::text, 'sent'::text, 'undoing'::text, 'closed'::text])))
);


--
-- Name: post_message; Type: TABLE; Schema: upnext; Owner: -
--

CREATE TABLE upnext.post_message (
    team_id text NOT NULL,
    project_id text NOT NULL,
    post_id text NOT NULL,
    channel_id text NOT NULL,
    ts text NOT NULL,
    posted_by text NOT NULL,
    comment text,
    posted_at timestamp with time zone NOT NULL,
    project_name text NOT NULL,
    post jsonb NOT NULL,
    last_change text,
    changed_by text,
    uncertain_until timestamp with time zone,
    CONSTRAINT post_message_last_change_check CHECK ((last_change = ANY (ARRAY['unconfirmed'::text, 'changed'::text, 'cancelled'::text])))
);


--
-- Name: received_request; Type: TABLE; Schema: upnext; Owner: -
--

CREATE UNLOGGED TABLE upnext.received_request (
    signature text NOT NULL,
    received_at timestamp with time zone NOT NULL
);


--
-- Name: slot_reservation; Type: TABLE; Schema: upnext; Owner: -
--

CREATE TABLE upnext.slot_reservation (
    team_id text NOT NULL,
    project_id text NOT NULL,
    platform text NOT NULL,
    at timestamp with time zone NOT NULL,
    owner text NOT NULL,
    for_item boolean NOT NULL,
    reserved_at timestamp with time zone NOT NULL
);


--
-- Name: slot_rules; Type: TABLE; Schema: upnext; Owner: -
--

CREATE TABLE upnext.slot_rules (
    team_id text NOT NULL,
    project_id text NOT NULL,
    rules jsonb NOT NULL
);


--
-- Name: submission; Type: TABLE; Schema: upnext; Owner: -
--

CREATE TABLE upnext.submission (
    view_id text NOT NULL,
    claimed_at timestamp with time zone NOT NULL,
    is_settled boolean DEFAULT false NOT NULL
);


--
-- Name: uninstallation; Type: TABLE; Schema: upnext; Owner: -
--

CREATE TABLE upnext.uninstallation (
    team_id text NOT NULL,
    uninstalled_at timestamp with time zone DEFAULT now() NOT NULL,
    is_confirmed boolean DEFAULT false NOT NULL
);


--
-- Name: uploaded_picture; Type: TABLE; Schema: upnext; Owner: -
--

CREATE TABLE upnext.uploaded_picture (
    team_id text NOT NULL,
    hash text NOT NULL,
    file_id text NOT NULL,
    ready_at timestamp with time zone NOT NULL
);


--
-- Name: user_settings; Type: TABLE; Schema: upnext; Owner: -
--

CREATE TABLE upnext.user_settings (
    team_id text NOT NULL,
    user_id text NOT NULL,
    project_id text,
    zone text,
    home_hash text,
    saved_at timestamp with time zone NOT NULL
);


--
-- Data for Name: account; Type: TABLE DATA; Schema: service; Owner: -
--



--
-- Data for Name: heartbeat; Type: TABLE DATA; Schema: service; Owner: -
--

INSERT INTO service.heartbeat VALUES (true, '2026-11-27 11:31:09.18+00', NULL, NULL);


--
-- Data for Name: idempotency_key; Type: TABLE DATA; Schema: service; Owner: -
--

INSERT INTO service.idempotency_key VALUES ('f4177a72-dd4d-4941-ada3-7e19155baa84', '5fd25d26-596d-4830-a878-e7ae4204e7d8', '\x646624359ee3fc92f526f3f7db2a3140244826b585e7ffc9512c675a2b8fa9e2', '{"Id":"c889a8d3-b731-473f-b5e5-50e125335032","ProjectId":"cec70330-198e-415a-84f6-42f0bec58d54","CreatedAt":"2026-11-27T11:31:12.475Z","Content":"Launch day!","Media":null,"TemplateId":null,"PromptId":null,"ScheduleDate":"2035-03-02T09:00:00+01:00","Timezone":"Europe/Berlin","Platforms":["X"],"Status":"SCHEDULED","PublishedAt":null,"Version":1,"MediaDescription":null,"Titles":null,"Texts":null,"Results":null}', '2026-11-27 11:31:12.475+00');
INSERT INTO service.idempotency_key VALUES ('f4177a72-dd4d-4941-ada3-7e19155baa84', '545aa5b2-095b-433c-a3d1-aa45c003a5bb', '\x3d9bbb297dc7f4c887275721ed1b380cbe78337ddd4de20fd1cd0d91968e160d', '{"Id":"8083697f-d789-4c2f-9e6e-657e9dd11b6f","ProjectId":"cec70330-198e-415a-84f6-42f0bec58d54","CreatedAt":"2026-11-27T11:31:15.241Z","Content":"Launch week!","Media":null,"TemplateId":null,"PromptId":null,"ScheduleDate":"2035-03-05T09:00:00+01:00","Timezone":"Europe/Berlin","Platforms":["LINKEDIN"],"Status":"DRAFT","PublishedAt":null,"Version":1,"MediaDescription":null,"Titles":null,"Texts":null,"Results":null}', '2026-11-27 11:31:15.241+00');


--
-- Data for Name: job; Type: TABLE DATA; Schema: service; Owner: -
--



--
-- Data for Name: kysely_migration; Type: TABLE DATA; Schema: service; Owner: -
--

INSERT INTO service.kysely_migration VALUES ('0001-service-tables', '2026-11-27T11:31:05.238Z');
INSERT INTO service.kysely_migration VALUES ('0002-idempotency-keys', '2026-11-27T11:31:05.242Z');
INSERT INTO service.kysely_migration VALUES ('0003-publishing', '2026-11-27T11:31:05.249Z');
INSERT INTO service.kysely_migration VALUES ('0004-texts', '2026-11-27T11:31:05.251Z');
INSERT INTO service.kysely_migration VALUES ('0005-bot-only-projects', '2026-11-27T11:31:05.252Z');


--
-- Data for Name: kysely_migration_lock; Type: TABLE DATA; Schema: service; Owner: -
--

INSERT INTO service.kysely_migration_lock VALUES ('migration_lock', 0);


--
-- Data for Name: log; Type: TABLE DATA; Schema: service; Owner: -
--

INSERT INTO service.log OVERRIDING SYSTEM VALUE VALUES (1, 'cec70330-198e-415a-84f6-42f0bec58d54', 'INFO', 'project.created', 'Created the project Acme.', 'operator', NULL, '2026-11-27 11:31:05.27+00', NULL);
INSERT INTO service.log OVERRIDING SYSTEM VALUE VALUES (2, 'cec70330-198e-415a-84f6-42f0bec58d54', 'INFO', 'user.added', 'ada@acme.example is now ADMIN in Acme.', 'operator', 'f4177a72-dd4d-4941-ada3-7e19155baa84', '2026-11-27 11:31:05.692+00', NULL);
INSERT INTO service.log OVERRIDING SYSTEM VALUE VALUES (3, 'cec70330-198e-415a-84f6-42f0bec58d54', 'INFO', 'source.created', 'Added the source "https://acme.example/feed" to the project Acme.', 'operator', 'b79c939e-75e9-40f6-9d23-b95e3433485a', '2026-11-27 11:31:06.296+00', NULL);
INSERT INTO service.log OVERRIDING SYSTEM VALUE VALUES (4, 'cec70330-198e-415a-84f6-42f0bec58d54', 'INFO', 'template.created', 'Added the template "Launch" to the project Acme.', 'operator', 'da512b6b-ec57-4961-a465-cac3a54bb1ed', '2026-11-27 11:31:06.864+00', NULL);
INSERT INTO service.log OVERRIDING SYSTEM VALUE VALUES (5, 'cec70330-198e-415a-84f6-42f0bec58d54', 'INFO', 'webhook.set', 'The events of Acme are now sent to hooks.acme.example.', 'operator', NULL, '2026-11-27 11:31:07.449+00', NULL);
INSERT INTO service.log OVERRIDING SYSTEM VALUE VALUES (6, NULL, 'INFO', 'token.created', 'Created a token for ada@acme.example (operator).', 'operator', '2dacd2d2-4fb5-4e11-b266-ab90259930c8', '2026-11-27 11:31:07.987+00', NULL);
INSERT INTO service.log OVERRIDING SYSTEM VALUE VALUES (7, 'cec70330-198e-415a-84f6-42f0bec58d54', 'INFO', 'post.created', 'Scheduled a post for 2035-03-02T09:00:00+01:00 (Europe/Berlin) on X.', 'ada@acme.example', 'c889a8d3-b731-473f-b5e5-50e125335032', '2026-11-27 11:31:12.475+00', '5fd25d26-596d-4830-a878-e7ae4204e7d8');
INSERT INTO service.log OVERRIDING SYSTEM VALUE VALUES (8, 'cec70330-198e-415a-84f6-42f0bec58d54', 'INFO', 'post.created', 'Saved a draft.', 'ada@acme.example', '8083697f-d789-4c2f-9e6e-657e9dd11b6f', '2026-11-27 11:31:15.241+00', '545aa5b2-095b-433c-a3d1-aa45c003a5bb');


--
-- Data for Name: person; Type: TABLE DATA; Schema: service; Owner: -
--

INSERT INTO service.person VALUES ('f4177a72-dd4d-4941-ada3-7e19155baa84', 'ada@acme.example', '2026-11-27 11:31:05.693761+00');


--
-- Data for Name: post; Type: TABLE DATA; Schema: service; Owner: -
--

INSERT INTO service.post VALUES ('c889a8d3-b731-473f-b5e5-50e125335032', 'cec70330-198e-415a-84f6-42f0bec58d54', 'Launch day!', NULL, NULL, NULL, '2035-03-02 08:00:00+00', 'Europe/Berlin', '{X}', 'SCHEDULED', '2026-11-27 11:31:12.475+00', NULL, 1, NULL, NULL, NULL, NULL);
INSERT INTO service.post VALUES ('8083697f-d789-4c2f-9e6e-657e9dd11b6f', 'cec70330-198e-415a-84f6-42f0bec58d54', 'Launch week!', NULL, NULL, NULL, '2035-03-05 08:00:00+00', 'Europe/Berlin', '{LINKEDIN}', 'DRAFT', '2026-11-27 11:31:15.241+00', NULL, 1, NULL, NULL, NULL, NULL);


--
-- Data for Name: project; Type: TABLE DATA; Schema: service; Owner: -
--

INSERT INTO service.project VALUES ('cec70330-198e-415a-84f6-42f0bec58d54', 'Acme', '2026-11-27 11:31:05.271521+00', false);


--
-- Data for Name: project_user; Type: TABLE DATA; Schema: service; Owner: -
--

INSERT INTO service.project_user VALUES ('cec70330-198e-415a-84f6-42f0bec58d54', 'f4177a72-dd4d-4941-ada3-7e19155baa84', 'Ada', NULL, NULL, 'ADMIN', 'ACTIVE', '2026-11-27 11:31:05.693761+00');


--
-- Data for Name: prompt; Type: TABLE DATA; Schema: service; Owner: -
--



--
-- Data for Name: source; Type: TABLE DATA; Schema: service; Owner: -
--

INSERT INTO service.source VALUES ('b79c939e-75e9-40f6-9d23-b95e3433485a', 'cec70330-198e-415a-84f6-42f0bec58d54', 'https://acme.example/feed', NULL, '2026-11-27 11:31:06.297281+00', '2026-11-27 11:31:06.297281+00');


--
-- Data for Name: staged_file; Type: TABLE DATA; Schema: service; Owner: -
--



--
-- Data for Name: template; Type: TABLE DATA; Schema: service; Owner: -
--

INSERT INTO service.template VALUES ('da512b6b-ec57-4961-a465-cac3a54bb1ed', 'cec70330-198e-415a-84f6-42f0bec58d54', 'Launch', 'We launch {product}.', NULL, '2026-11-27 11:31:06.864738+00');


--
-- Data for Name: token; Type: TABLE DATA; Schema: service; Owner: -
--

INSERT INTO service.token VALUES ('2dacd2d2-4fb5-4e11-b266-ab90259930c8', 'f4177a72-dd4d-4941-ada3-7e19155baa84', '\x27bc9491ca7345dccdc74b28217e81aa43118487814fbe2c6e2efae27ed05902', 'operator', '2026-11-27 11:31:07.988498+00', NULL);


--
-- Data for Name: webhook; Type: TABLE DATA; Schema: service; Owner: -
--

INSERT INTO service.webhook VALUES ('cec70330-198e-415a-84f6-42f0bec58d54', 'https://hooks.acme.example/posts', 'enc:v1:868ad343619e:nLkyYtOburvV4rMG2yuVnNlU9IrLGyNAandRE6SDPne07aHi7Oz7vFZLdhFBy8mLYDwOXpSNTrvYPpQFN734sK7U61r1jvjbklPOXeYPaSg', '2026-11-27 11:31:07.450585+00');


--
-- Data for Name: alert; Type: TABLE DATA; Schema: upnext; Owner: -
--



--
-- Data for Name: alert_channel; Type: TABLE DATA; Schema: upnext; Owner: -
--



--
-- Data for Name: approval; Type: TABLE DATA; Schema: upnext; Owner: -
--



--
-- Data for Name: approval_message; Type: TABLE DATA; Schema: upnext; Owner: -
--



--
-- Data for Name: approval_rule; Type: TABLE DATA; Schema: upnext; Owner: -
--



--
-- Data for Name: audit_entry; Type: TABLE DATA; Schema: upnext; Owner: -
--

INSERT INTO upnext.audit_entry OVERRIDING SYSTEM VALUE VALUES (1, '2026-11-27 11:31:12.491+00', 'T000000001', 'U000000005', 'T000000001', 'schedule', 'cec70330-198e-415a-84f6-42f0bec58d54', 'c889a8d3-b731-473f-b5e5-50e125335032', 'enc:v1:868ad343619e:evQRW5s8tz1I8WcthCIk4Gp_PbL5shRwFwYiXL1Mc4XGDBO4iYzPvSZVfI2Yj2VhJOaSe-2WUQam2QspegSKSgC7CLPN1kqroWa-2ft9CvNIb_i6Em6XTxGuUL826nQAdis1H5FsS0iDoKUukCw1ukMcUowxt3Uotlj4RTj_xw54M6s1QbxsF2vIwN8IddI-kDPTk5qgRULQGRj9D3LNt2zFXLVNXfE4VIDaTA', 'done', '5fd25d26-596d-4830-a878-e7ae4204e7d8');
INSERT INTO upnext.audit_entry OVERRIDING SYSTEM VALUE VALUES (2, '2026-11-27 11:31:15.253+00', 'T000000001', 'U000000005', 'T000000001', 'schedule', 'cec70330-198e-415a-84f6-42f0bec58d54', '8083697f-d789-4c2f-9e6e-657e9dd11b6f', 'enc:v1:868ad343619e:LSGt_k2sc4OT3uPiCrWCg-kQEEcZs_ygSEkQpxpMqhULE72ch_eNW4wt4Yys5sjU6XwMCkd7fOPU2x-4kSqsphbMMNdHa7ctaz2TonJ4YEy7J7Ec3290xYjFumFKtgTxO2-c4xjs3VqbNHeVSXTlZPdsWGexpUHHE0vFNT8457_-lktGoVEb_b442OENxU8-qsQoIdVoNVWr9kZQ7ubX0B-lhGvbBEbVtiC1Lt-grHc', 'done', '545aa5b2-095b-433c-a3d1-aa45c003a5bb');
INSERT INTO upnext.audit_entry OVERRIDING SYSTEM VALUE VALUES (3, '2026-11-27 11:31:17.999+00', 'T000000001', 'U000000005', 'T000000001', 'slots', 'cec70330-198e-415a-84f6-42f0bec58d54', 'cec70330-198e-415a-84f6-42f0bec58d54', 'enc:v1:868ad343619e:ZF7zgxYy1juxx0VFvUrhunhkQFg8RP1hoeNA4Q2aXLDMdEjOI9a3P32zKVsuJ1tpsWaTfmlU_HSBE0iN0UkGHMut77jYcAzrvBu6vIBc0QgOFXt_phq5Eg', 'done', 'f5454f9e-4539-4154-834e-14f2142d356a');
INSERT INTO upnext.audit_entry OVERRIDING SYSTEM VALUE VALUES (4, '2026-11-27 11:31:18.155+00', 'T000000001', 'U000000005', 'T000000001', 'digest', 'cec70330-198e-415a-84f6-42f0bec58d54', '652d4519-9a64-4bf0-9852-23c4254be01a', 'enc:v1:868ad343619e:H6AcRcCfjVo1CTc5QwYSEJ1aGvPS7uPVb_3n8PO8ZjyrRH_QH1OqgUZZGCzp7go--Ty-L0tCtRHymeowrFs9QPSzCSi4Vyuc_8zoy_Xay1xUFvOYcguoPYOAXBCkiCcOA0sRwfPkHKr2GD6utdfh_hGXrnexiTAreWmvLLeDgjPEqDfH_-7vvYltTH7cTbbvY6WXznoCF5OD8PXnzcKQAY1h9fytTfseth3d7OhJc80FggTWDlfUWsmmJWhP9dchOSceKYlQT1c0', 'done', '5c3d1f29-7f16-41e5-9128-1a60e4b5a980');


--
-- Data for Name: audit_retention; Type: TABLE DATA; Schema: upnext; Owner: -
--

INSERT INTO upnext.audit_retention VALUES (true, 365, 30);


--
-- Data for Name: channel_project; Type: TABLE DATA; Schema: upnext; Owner: -
--



--
-- Data for Name: digest; Type: TABLE DATA; Schema: upnext; Owner: -
--

INSERT INTO upnext.digest VALUES ('652d4519-9a64-4bf0-9852-23c4254be01a', 'T000000001', 'C00000000K', 'cec70330-198e-415a-84f6-42f0bec58d54', 'Acme', '{"days": {"every": "week", "weekdays": [1, 2, 3, 4, 5]}, "zone": "Europe/Berlin", "clocks": [{"hour": 9, "minute": 0}]}', '{upcoming,published,drafts,problems,chart}', 'post', 'U000000005', '2026-11-27 11:31:18.136+00', NULL, '2026-11-30 08:00:00+00', NULL, NULL, NULL, NULL, NULL, NULL);


--
-- Data for Name: digest_content; Type: TABLE DATA; Schema: upnext; Owner: -
--



--
-- Data for Name: holding_channel; Type: TABLE DATA; Schema: upnext; Owner: -
--



--
-- Data for Name: installation; Type: TABLE DATA; Schema: upnext; Owner: -
--

INSERT INTO upnext.installation VALUES (true, 'T000000001');


--
-- Data for Name: job; Type: TABLE DATA; Schema: upnext; Owner: -
--

INSERT INTO upnext.job OVERRIDING SYSTEM VALUE VALUES ('digest', '652d4519-9a64-4bf0-9852-23c4254be01a', '652d4519-9a64-4bf0-9852-23c4254be01a', 4, 'T000000001', NULL, '2026-11-27 11:31:18.136+00', '2026-11-30 07:45:00+00', NULL, 0, NULL, 1, NULL, NULL);


--
-- Data for Name: known_record; Type: TABLE DATA; Schema: upnext; Owner: -
--



--
-- Data for Name: kysely_migration; Type: TABLE DATA; Schema: upnext; Owner: -
--

INSERT INTO upnext.kysely_migration VALUES ('0001-bot-tables', '2026-11-27T11:31:09.485Z');
INSERT INTO upnext.kysely_migration VALUES ('0002-idempotency-keys', '2026-11-27T11:31:09.487Z');
INSERT INTO upnext.kysely_migration VALUES ('0003-alerts', '2026-11-27T11:31:09.492Z');
INSERT INTO upnext.kysely_migration VALUES ('0004-batches', '2026-11-27T11:31:09.495Z');
INSERT INTO upnext.kysely_migration VALUES ('0005-plans', '2026-11-27T11:31:09.499Z');
INSERT INTO upnext.kysely_migration VALUES ('0006-slots', '2026-11-27T11:31:09.504Z');
INSERT INTO upnext.kysely_migration VALUES ('0007-approvals', '2026-11-27T11:31:09.512Z');


--
-- Data for Name: kysely_migration_lock; Type: TABLE DATA; Schema: upnext; Owner: -
--

INSERT INTO upnext.kysely_migration_lock VALUES ('migration_lock', 0);


--
-- Data for Name: media_chunk; Type: TABLE DATA; Schema: upnext; Owner: -
--



--
-- Data for Name: media_file; Type: TABLE DATA; Schema: upnext; Owner: -
--



--
-- Data for Name: media_upload; Type: TABLE DATA; Schema: upnext; Owner: -
--



--
-- Data for Name: open_form; Type: TABLE DATA; Schema: upnext; Owner: -
--

INSERT INTO upnext.open_form VALUES ('V0MWYWHOZZ000O', 'T000000001', 'U000000005', 'submitted', '"enc:v1:868ad343619e:PoGX5wiEErQ954Z3JxG0VA6RdiZRY1cKpH7zSf8q"', '9', '2026-11-27 11:31:12.407+00', NULL);
INSERT INTO upnext.open_form VALUES ('V0MWYWHOZZ000Q', 'T000000001', 'U000000005', 'submitted', '"enc:v1:868ad343619e:-G2ABsxQ-fJUPG-NGG1a5Te4JL8k-oSJ_KP3-lbE"', '9', '2026-11-27 11:31:15.217+00', NULL);
INSERT INTO upnext.open_form VALUES ('V0MWYWHOZZ000R', 'T000000001', 'U000000005', 'submitted', '"enc:v1:868ad343619e:38Ln8XIF6eQ7CpbI8ZhN5PhfBh8K8bRPiclfnxDh"', '9', '2026-11-27 11:31:17.971+00', NULL);


--
-- Data for Name: outbox_item; Type: TABLE DATA; Schema: upnext; Owner: -
--

INSERT INTO upnext.outbox_item OVERRIDING SYSTEM VALUE VALUES ('5fd25d26-596d-4830-a878-e7ae4204e7d8', 1, 'V0MWYWHOZZ000O', 'T000000001', 'U000000005', 'T000000001', 'C00000000K', 'schedule', 'cec70330-198e-415a-84f6-42f0bec58d54', 'Acme', '"enc:v1:868ad343619e:0YMbG9zSFHNxrKR7YkUwmrcn_AVA9UBCffvadHwf3AAiXXSVdywC_zOMWDzfniOQaExXKDo3e30H4qD4jdoORseSp1d1rdNHDtvaH8Dp4HrgEKT1PEZxsIudavkUHAr70pqhW0err1FYgYdwXpZQp8soyenOUWfFILSF4ICzpcZjGYH5gIvVGenWCKBw4BssyFu00htZW3an9_4huGrRzWb8pP92dq1RcCCj5tp52u0okA"', '"enc:v1:868ad343619e:FRndu3I-h_dKmfThQpa3VzvemYplNVQVrcc4hS1vqReLEIUt0lHMc4ds44cA4uox6o5QyKqKsysc8hF0MywbFrBTo5hNjZhE3uUfwQc1rYXwXdBdv8oVMm6OkRo-gqzAGs5QatNYxMbSWzJVhoizX91UC_Fpgl4nZKhebafu83cYHmHoULoy3JK9h-uO5Ah3onfMy3DvYbjfp9C6s8DIUwX_"', false, 'sent', false, '2026-11-27 11:31:12.448+00', '2026-11-27 11:31:12.448+00', 1, NULL, 'c889a8d3-b731-473f-b5e5-50e125335032', false, '"enc:v1:868ad343619e:AFBhlh01Q2677p-VX1kJK3Pr5d1lKi7c7PwCoNkdQYuSqN1tALAqYj3NajCfaIM0MDXxbKO_QlC8lzV725XSva55Q_XGej2eFuFFF8l03j6_YoLr1WehrURqvBMc_x_Q9Rg_WkouSSSV5o57s9e6P6ck_h2a5jQVhIeOoTeeTY6RrwXBhvNqgwbqSIjRo7VWn1FByoCTAR_WRxQM4Kuat5XGzxdLuQZ3iKFlm4x3m8pxxlAht-Ckpw0_dlT60mc0W1fym_Gi2aSpWJozQ01SVL0HkBL5HgE1C4Zl2kECW195TqbsxBUH27ZiY5mAz4aiVUKSO81Ir4RhYjuYPFNP1Qmn-KUzEFo0fHtts_nseXkY9jfooNbry484tATwMT5vMbcleeeOZC6a2FTyRPfArWwElgV96ttb0oU64bk-L0RSpOeHEPYaaAUFCSUC1ZgGxz54scbMxEIbwxYzOHPx7vE5LjrU3fkQeeczmkny48lTja1ZVGOeCwoENbXxRGv-s9lKIxCE04w6OG4VWDrOWKYmDgTSJfJUsHBKjr-D43etDQBIGGwxTeewMWvtjajXMusBHMlDcDNJ6CFv5eBZJpX7sBkkDNT_Tex0XkKN2S7ByVZOR7Y5HshSsTOyT4j-J6NezrhAF-mG6gI5viENgi_8mO7s2BHba9cpxCWEWacVmUFZXC9IpEGSKym2eNO6f1aib1qVRUJuI-3URJHxHXjWQY50ST89tj9d7DW3Bq92XIuVzYQDtExMAFDQOonZRtv7Segcap_JIEj2c7ymViuC8UqAogPqaTowPuXPN2owomLLRjdvsanVKh1ZLVbdNQ"', NULL, '2026-11-27 11:31:12.491+00', NULL, 1, NULL, NULL, NULL, NULL, NULL, '2026-11-27 11:31:12.448+00', NULL);
INSERT INTO upnext.outbox_item OVERRIDING SYSTEM VALUE VALUES ('545aa5b2-095b-433c-a3d1-aa45c003a5bb', 2, 'V0MWYWHOZZ000Q', 'T000000001', 'U000000005', 'T000000001', 'C00000000K', 'schedule', 'cec70330-198e-415a-84f6-42f0bec58d54', 'Acme', '"enc:v1:868ad343619e:DOEyey6nsETKN_0FK8azwwoxt1vIizEQMYNwn_KP0r_b2dwgyG5nGdTGx-ZFkgof03AoKZG1vRS8hqN4MdHRJ-Wr7SZyw1TZxESJtKlGudjCMzSHPLG_9I51qEO09YDG_GbgT5k1myP2kaqDNd4xQlKWfBr_CYcrPQY7SsNooCmHzYuv58im5cjUhS_faxHg-ZdQHziMgtpPTgJqJh6NjsBWsTBkJxUzhIy5lsE"', '"enc:v1:868ad343619e:3TAR0Cze2WB-QiUPIHU92B_aJMdIfdm3slHpkicPnY3SzGkH-sulnqhvTg96-aMDfCB5wGCRDcWlE3NCPS0Lq2TTN5yEcYU9AuVelzZiFHxMvBw6X8BFx87-LO3cbUd_JQ99lxfqhMzRY80HV0nu0sRECxUptydEZep0TOqluwozordh_kEeaHpfsVzseRdLEBQTwR4EXxbnCgK6u_glAQwFK1iRpw"', false, 'sent', false, '2026-11-27 11:31:15.228+00', '2026-11-27 11:31:15.228+00', 1, NULL, '8083697f-d789-4c2f-9e6e-657e9dd11b6f', false, '"enc:v1:868ad343619e:C6IiXuaqqJPwkw4PtYuc-GcfESMQ9aaNEHLDSl3LiJlADDkwvuKtE6mGyU__hn1562i9VwZHG_rmxSwXzYfyBT4XHxEunFvbQCG9wi_w_44DX85872MpiHRNm0Ysp5TZIKAdlILqBk4zumCfaSa_2uNDE0UE5-HIWo_nvqP3fnoJo5x2nhokDnG3rvYtoqA__ZSKNBMl_NtoRpLrcwPQJxGow7ce_gw_1CnzPkCVahPXUoL-h3JJhaTg6TsoekJLr3z6tykw0UviNh4GPPTpjNXuYgIGID7U0jKcwX9nAB0qE8Yj8FmF9tmmJKXkr8Jnra6ZTw125sxMwpPQ1okDC5tQAdqJxclDAEmPRhN2VWU-rgd9x6zWwmIrN9eTB12jtz7TJYbY6TOo0a0dsuEF9t-BzuNYuGOAmmII-PD6BoS4JP2DGG_DtnQiS-w7rvI3KI_TeY_dfyazXY9w2mVuwi0gkgxDdQlEuhbLxf67JV3OdWWLJsVm5hTyUV7TMH-fqd9LrNjNkOiRqcNrZwrGxIfiGQFLnshaiLvIgU_3ht94DwJMxBwqInVTbGGozlssqfnsaGIXEUzWS9n9Tp_SpgmXFX-jdMWWKk4XOUIyTBmc2Vrq7EIk1thsJUYDIZXju-sU93u3mnK0hjurusVwbY6O_rcecBnOhihYhYhcw5qkiBpAKk4f5-UKpaQsQQ-hMNdZOMoXHk5aG3wSq5_pX3TMyIXq8URcD-vChMWxloSwNExtQPrXlq9VvlPKTTFE4XuxaGoIKwUiZN2UfniGQXzsmnw-2uBlRabtgvRKufz1XsOv4uEvsHrJJPWVxvESugvlXky7b_kk"', NULL, '2026-11-27 11:31:15.253+00', NULL, 1, NULL, NULL, NULL, NULL, NULL, '2026-11-27 11:31:15.228+00', NULL);


--
-- Data for Name: plan; Type: TABLE DATA; Schema: upnext; Owner: -
--



--
-- Data for Name: post_message; Type: TABLE DATA; Schema: upnext; Owner: -
--



--
-- Data for Name: received_request; Type: TABLE DATA; Schema: upnext; Owner: -
--



--
-- Data for Name: slot_reservation; Type: TABLE DATA; Schema: upnext; Owner: -
--



--
-- Data for Name: slot_rules; Type: TABLE DATA; Schema: upnext; Owner: -
--

INSERT INTO upnext.slot_rules VALUES ('T000000001', 'cec70330-198e-415a-84f6-42f0bec58d54', '[{"platforms": [], "recurrence": {"days": {"every": "week", "weekdays": [1, 2, 3, 4, 5]}, "zone": "Europe/Berlin", "clocks": [{"hour": 9, "minute": 0}, {"hour": 17, "minute": 0}]}}]');


--
-- Data for Name: submission; Type: TABLE DATA; Schema: upnext; Owner: -
--

INSERT INTO upnext.submission VALUES ('V0MWYWHOZZ000R', '2026-11-27 11:31:17.971+00', true);


--
-- Data for Name: uninstallation; Type: TABLE DATA; Schema: upnext; Owner: -
--



--
-- Data for Name: uploaded_picture; Type: TABLE DATA; Schema: upnext; Owner: -
--



--
-- Data for Name: user_settings; Type: TABLE DATA; Schema: upnext; Owner: -
--

INSERT INTO upnext.user_settings VALUES ('T000000001', 'U000000005', NULL, 'Europe/Berlin', 'EekzM92RVpG1YWpYmPWNyFMZlOwuwORqgyWkiM-q3I4', '2026-11-27 11:31:18.302+00');


--
-- Name: job_seq_seq; Type: SEQUENCE SET; Schema: service; Owner: -
--

SELECT pg_catalog.setval('service.job_seq_seq', 1, false);


--
-- Name: log_id_seq; Type: SEQUENCE SET; Schema: service; Owner: -
--

SELECT pg_catalog.setval('service.log_id_seq', 8, true);


--
-- Name: audit_entry_id_seq; Type: SEQUENCE SET; Schema: upnext; Owner: -
--

SELECT pg_catalog.setval('upnext.audit_entry_id_seq', 4, true);


--
-- Name: job_seq_seq; Type: SEQUENCE SET; Schema: upnext; Owner: -
--

SELECT pg_catalog.setval('upnext.job_seq_seq', 4, true);


--
-- Name: outbox_item_seq_seq; Type: SEQUENCE SET; Schema: upnext; Owner: -
--

SELECT pg_catalog.setval('upnext.outbox_item_seq_seq', 2, true);


--
-- Name: account account_pkey; Type: CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (id);


--
-- Name: account account_project_id_platform_publisher_target_key; Type: CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.account
    ADD CONSTRAINT account_project_id_platform_publisher_target_key UNIQUE (project_id, platform, publisher, target);


--
-- Name: heartbeat heartbeat_pkey; Type: CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.heartbeat
    ADD CONSTRAINT heartbeat_pkey PRIMARY KEY (id);


--
-- Name: idempotency_key idempotency_key_pkey; Type: CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.idempotency_key
    ADD CONSTRAINT idempotency_key_pkey PRIMARY KEY (user_id, key);


--
-- Name: job job_pkey; Type: CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.job
    ADD CONSTRAINT job_pkey PRIMARY KEY (kind, id);


--
-- Name: kysely_migration_lock kysely_migration_lock_pkey; Type: CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.kysely_migration_lock
    ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);


--
-- Name: kysely_migration kysely_migration_pkey; Type: CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);


--
-- Name: log log_pkey; Type: CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.log
    ADD CONSTRAINT log_pkey PRIMARY KEY (id);


--
-- Name: person person_pkey; Type: CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.person
    ADD CONSTRAINT person_pkey PRIMARY KEY (id);


--
-- Name: post post_pkey; Type: CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.post
    ADD CONSTRAINT post_pkey PRIMARY KEY (id);


--
-- Name: project project_pkey; Type: CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.project
    ADD CONSTRAINT project_pkey PRIMARY KEY (id);


--
-- Name: project_user project_user_pkey; Type: CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.project_user
    ADD CONSTRAINT project_user_pkey PRIMARY KEY (user_id, project_id);


--
-- Name: prompt prompt_pkey; Type: CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.prompt
    ADD CONSTRAINT prompt_pkey PRIMARY KEY (id);


--
-- Name: source source_pkey; Type: CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.source
    ADD CONSTRAINT source_pkey PRIMARY KEY (id);


--
-- Name: staged_file staged_file_pkey; Type: CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.staged_file
    ADD CONSTRAINT staged_file_pkey PRIMARY KEY (token_id);


--
-- Name: template template_pkey; Type: CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.template
    ADD CONSTRAINT template_pkey PRIMARY KEY (id);


--
-- Name: token token_hash_key; Type: CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.token
    ADD CONSTRAINT token_hash_key UNIQUE (hash);


--
-- Name: token token_pkey; Type: CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.token
    ADD CONSTRAINT token_pkey PRIMARY KEY (id);


--
-- Name: webhook webhook_pkey; Type: CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.webhook
    ADD CONSTRAINT webhook_pkey PRIMARY KEY (project_id);


--
-- Name: alert_channel alert_channel_pkey; Type: CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.alert_channel
    ADD CONSTRAINT alert_channel_pkey PRIMARY KEY (team_id, channel_id);


--
-- Name: alert alert_pkey; Type: CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.alert
    ADD CONSTRAINT alert_pkey PRIMARY KEY (id);


--
-- Name: approval_message approval_message_pkey; Type: CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.approval_message
    ADD CONSTRAINT approval_message_pkey PRIMARY KEY (group_id, recipient);


--
-- Name: approval approval_pkey; Type: CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.approval
    ADD CONSTRAINT approval_pkey PRIMARY KEY (item_id);


--
-- Name: approval_rule approval_rule_pkey; Type: CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.approval_rule
    ADD CONSTRAINT approval_rule_pkey PRIMARY KEY (team_id, project_id);


--
-- Name: audit_entry audit_entry_pkey; Type: CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.audit_entry
    ADD CONSTRAINT audit_entry_pkey PRIMARY KEY (id);


--
-- Name: audit_retention audit_retention_pkey; Type: CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.audit_retention
    ADD CONSTRAINT audit_retention_pkey PRIMARY KEY (only_row);


--
-- Name: channel_project channel_project_pkey; Type: CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.channel_project
    ADD CONSTRAINT channel_project_pkey PRIMARY KEY (team_id, channel_id);


--
-- Name: digest_content digest_content_pkey; Type: CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.digest_content
    ADD CONSTRAINT digest_content_pkey PRIMARY KEY (id);


--
-- Name: digest digest_pkey; Type: CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.digest
    ADD CONSTRAINT digest_pkey PRIMARY KEY (id);


--
-- Name: holding_channel holding_channel_pkey; Type: CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.holding_channel
    ADD CONSTRAINT holding_channel_pkey PRIMARY KEY (team_id, channel_id);


--
-- Name: installation installation_pkey; Type: CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.installation
    ADD CONSTRAINT installation_pkey PRIMARY KEY (only_row);


--
-- Name: job job_pkey; Type: CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.job
    ADD CONSTRAINT job_pkey PRIMARY KEY (kind, id);


--
-- Name: known_record known_record_pkey; Type: CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.known_record
    ADD CONSTRAINT known_record_pkey PRIMARY KEY (team_id, project_id, kind, record_id);


--
-- Name: kysely_migration_lock kysely_migration_lock_pkey; Type: CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.kysely_migration_lock
    ADD CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id);


--
-- Name: kysely_migration kysely_migration_pkey; Type: CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.kysely_migration
    ADD CONSTRAINT kysely_migration_pkey PRIMARY KEY (name);


--
-- Name: media_chunk media_chunk_pkey; Type: CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.media_chunk
    ADD CONSTRAINT media_chunk_pkey PRIMARY KEY (file_id, "position");


--
-- Name: media_file media_file_pkey; Type: CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.media_file
    ADD CONSTRAINT media_file_pkey PRIMARY KEY (id);


--
-- Name: media_file media_file_team_id_hash_key; Type: CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.media_file
    ADD CONSTRAINT media_file_team_id_hash_key UNIQUE (team_id, hash);


--
-- Name: media_upload media_upload_pkey; Type: CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.media_upload
    ADD CONSTRAINT media_upload_pkey PRIMARY KEY (name);


--
-- Name: open_form open_form_pkey; Type: CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.open_form
    ADD CONSTRAINT open_form_pkey PRIMARY KEY (view_id);


--
-- Name: outbox_item outbox_item_pkey; Type: CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.outbox_item
    ADD CONSTRAINT outbox_item_pkey PRIMARY KEY (id);


--
-- Name: outbox_item outbox_item_view_id_key; Type: CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.outbox_item
    ADD CONSTRAINT outbox_item_view_id_key UNIQUE (view_id);


--
-- Name: plan plan_pkey; Type: CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.plan
    ADD CONSTRAINT plan_pkey PRIMARY KEY (id);


--
-- Name: post_message post_message_pkey; Type: CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.post_message
    ADD CONSTRAINT post_message_pkey PRIMARY KEY (channel_id, ts);


--
-- Name: received_request received_request_pkey; Type: CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.received_request
    ADD CONSTRAINT received_request_pkey PRIMARY KEY (signature);


--
-- Name: slot_reservation slot_reservation_pkey; Type: CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.slot_reservation
    ADD CONSTRAINT slot_reservation_pkey PRIMARY KEY (project_id, platform, at);


--
-- Name: slot_rules slot_rules_pkey; Type: CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.slot_rules
    ADD CONSTRAINT slot_rules_pkey PRIMARY KEY (team_id, project_id);


--
-- Name: submission submission_pkey; Type: CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.submission
    ADD CONSTRAINT submission_pkey PRIMARY KEY (view_id);


--
-- Name: uninstallation uninstallation_pkey; Type: CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.uninstallation
    ADD CONSTRAINT uninstallation_pkey PRIMARY KEY (team_id);


--
-- Name: uploaded_picture uploaded_picture_pkey; Type: CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.uploaded_picture
    ADD CONSTRAINT uploaded_picture_pkey PRIMARY KEY (team_id, hash);


--
-- Name: user_settings user_settings_pkey; Type: CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.user_settings
    ADD CONSTRAINT user_settings_pkey PRIMARY KEY (team_id, user_id);


--
-- Name: account_by_platform; Type: INDEX; Schema: service; Owner: -
--

CREATE UNIQUE INDEX account_by_platform ON service.account USING btree (project_id, platform) WHERE is_connected;


--
-- Name: idempotency_key_by_use; Type: INDEX; Schema: service; Owner: -
--

CREATE INDEX idempotency_key_by_use ON service.idempotency_key USING btree (used_at);


--
-- Name: job_kind_due_at_idx; Type: INDEX; Schema: service; Owner: -
--

CREATE INDEX job_kind_due_at_idx ON service.job USING btree (kind, due_at);


--
-- Name: job_kind_key_seq_idx; Type: INDEX; Schema: service; Owner: -
--

CREATE INDEX job_kind_key_seq_idx ON service.job USING btree (kind, key, seq);


--
-- Name: log_by_project; Type: INDEX; Schema: service; Owner: -
--

CREATE INDEX log_by_project ON service.log USING btree (project_id, id DESC);


--
-- Name: person_by_email; Type: INDEX; Schema: service; Owner: -
--

CREATE UNIQUE INDEX person_by_email ON service.person USING btree (lower(email));


--
-- Name: post_by_date; Type: INDEX; Schema: service; Owner: -
--

CREATE INDEX post_by_date ON service.post USING btree (project_id, schedule_date, id);


--
-- Name: post_by_status; Type: INDEX; Schema: service; Owner: -
--

CREATE INDEX post_by_status ON service.post USING btree (project_id, status, schedule_date, id);


--
-- Name: post_due; Type: INDEX; Schema: service; Owner: -
--

CREATE INDEX post_due ON service.post USING btree (schedule_date, id) WHERE ((status = 'SCHEDULED'::text) AND (results IS NULL));


--
-- Name: project_by_name; Type: INDEX; Schema: service; Owner: -
--

CREATE UNIQUE INDEX project_by_name ON service.project USING btree (lower(name));


--
-- Name: project_user_by_project; Type: INDEX; Schema: service; Owner: -
--

CREATE INDEX project_user_by_project ON service.project_user USING btree (project_id);


--
-- Name: source_by_project; Type: INDEX; Schema: service; Owner: -
--

CREATE INDEX source_by_project ON service.source USING btree (project_id, created_at, id);


--
-- Name: template_by_project; Type: INDEX; Schema: service; Owner: -
--

CREATE INDEX template_by_project ON service.template USING btree (project_id, created_at, id);


--
-- Name: alert_changed_at_idx; Type: INDEX; Schema: upnext; Owner: -
--

CREATE INDEX alert_changed_at_idx ON upnext.alert USING btree (changed_at);


--
-- Name: alert_channel_team_id_project_id_idx; Type: INDEX; Schema: upnext; Owner: -
--

CREATE INDEX alert_channel_team_id_project_id_idx ON upnext.alert_channel USING btree (team_id, project_id);


--
-- Name: alert_team_id_project_id_idx; Type: INDEX; Schema: upnext; Owner: -
--

CREATE INDEX alert_team_id_project_id_idx ON upnext.alert USING btree (team_id, project_id);


--
-- Name: approval_asked_at_idx; Type: INDEX; Schema: upnext; Owner: -
--

CREATE INDEX approval_asked_at_idx ON upnext.approval USING btree (asked_at);


--
-- Name: approval_group_id_idx; Type: INDEX; Schema: upnext; Owner: -
--

CREATE INDEX approval_group_id_idx ON upnext.approval USING btree (group_id);


--
-- Name: approval_team_id_idx; Type: INDEX; Schema: upnext; Owner: -
--

CREATE INDEX approval_team_id_idx ON upnext.approval USING btree (team_id) WHERE (state = ANY (ARRAY['asked'::text, 'changes wanted'::text]));


--
-- Name: audit_entry_at_idx; Type: INDEX; Schema: upnext; Owner: -
--

CREATE INDEX audit_entry_at_idx ON upnext.audit_entry USING btree (at);


--
-- Name: audit_entry_request_id_idx; Type: INDEX; Schema: upnext; Owner: -
--

CREATE INDEX audit_entry_request_id_idx ON upnext.audit_entry USING btree (request_id);


--
-- Name: audit_entry_team_id_id_idx; Type: INDEX; Schema: upnext; Owner: -
--

CREATE INDEX audit_entry_team_id_id_idx ON upnext.audit_entry USING btree (team_id, id);


--
-- Name: audit_entry_team_id_target_id_idx; Type: INDEX; Schema: upnext; Owner: -
--

CREATE INDEX audit_entry_team_id_target_id_idx ON upnext.audit_entry USING btree (team_id, target, id);


--
-- Name: digest_channel_id_post_at_idx; Type: INDEX; Schema: upnext; Owner: -
--

CREATE INDEX digest_channel_id_post_at_idx ON upnext.digest USING btree (channel_id, post_at) WHERE (post_at IS NOT NULL);


--
-- Name: digest_content_created_at_idx; Type: INDEX; Schema: upnext; Owner: -
--

CREATE INDEX digest_content_created_at_idx ON upnext.digest_content USING btree (created_at);


--
-- Name: digest_requested_at_idx; Type: INDEX; Schema: upnext; Owner: -
--

CREATE INDEX digest_requested_at_idx ON upnext.digest USING btree (requested_at);


--
-- Name: digest_team_id_channel_id_project_id_recurrence_idx; Type: INDEX; Schema: upnext; Owner: -
--

CREATE UNIQUE INDEX digest_team_id_channel_id_project_id_recurrence_idx ON upnext.digest USING btree (team_id, channel_id, project_id, recurrence);


--
-- Name: job_kind_due_at_idx; Type: INDEX; Schema: upnext; Owner: -
--

CREATE INDEX job_kind_due_at_idx ON upnext.job USING btree (kind, due_at);


--
-- Name: job_kind_key_seq_idx; Type: INDEX; Schema: upnext; Owner: -
--

CREATE INDEX job_kind_key_seq_idx ON upnext.job USING btree (kind, key, seq);


--
-- Name: media_upload_file_id_idx; Type: INDEX; Schema: upnext; Owner: -
--

CREATE INDEX media_upload_file_id_idx ON upnext.media_upload USING btree (file_id);


--
-- Name: media_upload_team_id_user_id_uploaded_at_idx; Type: INDEX; Schema: upnext; Owner: -
--

CREATE INDEX media_upload_team_id_user_id_uploaded_at_idx ON upnext.media_upload USING btree (team_id, user_id, uploaded_at);


--
-- Name: open_form_saved_at_idx; Type: INDEX; Schema: upnext; Owner: -
--

CREATE INDEX open_form_saved_at_idx ON upnext.open_form USING btree (saved_at);


--
-- Name: open_form_team_id_user_id_form_saved_at_idx; Type: INDEX; Schema: upnext; Owner: -
--

CREATE INDEX open_form_team_id_user_id_form_saved_at_idx ON upnext.open_form USING btree (team_id, user_id, form, saved_at);


--
-- Name: outbox_item_batch_id_idx; Type: INDEX; Schema: upnext; Owner: -
--

CREATE INDEX outbox_item_batch_id_idx ON upnext.outbox_item USING btree (batch_id) WHERE (batch_id IS NOT NULL);


--
-- Name: outbox_item_finished_at_idx; Type: INDEX; Schema: upnext; Owner: -
--

CREATE INDEX outbox_item_finished_at_idx ON upnext.outbox_item USING btree (finished_at) WHERE (form_values IS NOT NULL);


--
-- Name: outbox_item_project_id_form_record_id_idx; Type: INDEX; Schema: upnext; Owner: -
--

CREATE UNIQUE INDEX outbox_item_project_id_form_record_id_idx ON upnext.outbox_item USING btree (project_id, form, record_id) WHERE (record_id IS NOT NULL);


--
-- Name: outbox_item_team_id_project_id_idx; Type: INDEX; Schema: upnext; Owner: -
--

CREATE INDEX outbox_item_team_id_project_id_idx ON upnext.outbox_item USING btree (team_id, project_id) WHERE ((held_until IS NOT NULL) AND (finished_at IS NULL));


--
-- Name: outbox_item_team_id_user_id_seq_idx; Type: INDEX; Schema: upnext; Owner: -
--

CREATE INDEX outbox_item_team_id_user_id_seq_idx ON upnext.outbox_item USING btree (team_id, user_id, seq);


--
-- Name: plan_created_at_idx; Type: INDEX; Schema: upnext; Owner: -
--

CREATE INDEX plan_created_at_idx ON upnext.plan USING btree (created_at);


--
-- Name: post_message_posted_at_idx; Type: INDEX; Schema: upnext; Owner: -
--

CREATE INDEX post_message_posted_at_idx ON upnext.post_message USING btree (posted_at);


--
-- Name: post_message_team_id_project_id_post_id_idx; Type: INDEX; Schema: upnext; Owner: -
--

CREATE INDEX post_message_team_id_project_id_post_id_idx ON upnext.post_message USING btree (team_id, project_id, post_id);


--
-- Name: slot_reservation_owner_idx; Type: INDEX; Schema: upnext; Owner: -
--

CREATE INDEX slot_reservation_owner_idx ON upnext.slot_reservation USING btree (owner);


--
-- Name: slot_reservation_reserved_at_idx; Type: INDEX; Schema: upnext; Owner: -
--

CREATE INDEX slot_reservation_reserved_at_idx ON upnext.slot_reservation USING btree (reserved_at);


--
-- Name: submission_claimed_at_idx; Type: INDEX; Schema: upnext; Owner: -
--

CREATE INDEX submission_claimed_at_idx ON upnext.submission USING btree (claimed_at);


--
-- Name: account account_project_id_fkey; Type: FK CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.account
    ADD CONSTRAINT account_project_id_fkey FOREIGN KEY (project_id) REFERENCES service.project(id) ON DELETE CASCADE;


--
-- Name: idempotency_key idempotency_key_user_id_fkey; Type: FK CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.idempotency_key
    ADD CONSTRAINT idempotency_key_user_id_fkey FOREIGN KEY (user_id) REFERENCES service.person(id) ON DELETE CASCADE;


--
-- Name: log log_project_id_fkey; Type: FK CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.log
    ADD CONSTRAINT log_project_id_fkey FOREIGN KEY (project_id) REFERENCES service.project(id) ON DELETE CASCADE;


--
-- Name: post post_project_id_fkey; Type: FK CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.post
    ADD CONSTRAINT post_project_id_fkey FOREIGN KEY (project_id) REFERENCES service.project(id) ON DELETE CASCADE;


--
-- Name: post post_prompt_id_fkey; Type: FK CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.post
    ADD CONSTRAINT post_prompt_id_fkey FOREIGN KEY (prompt_id) REFERENCES service.prompt(id);


--
-- Name: post post_template_id_fkey; Type: FK CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.post
    ADD CONSTRAINT post_template_id_fkey FOREIGN KEY (template_id) REFERENCES service.template(id);


--
-- Name: project_user project_user_project_id_fkey; Type: FK CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.project_user
    ADD CONSTRAINT project_user_project_id_fkey FOREIGN KEY (project_id) REFERENCES service.project(id) ON DELETE CASCADE;


--
-- Name: project_user project_user_user_id_fkey; Type: FK CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.project_user
    ADD CONSTRAINT project_user_user_id_fkey FOREIGN KEY (user_id) REFERENCES service.person(id) ON DELETE CASCADE;


--
-- Name: prompt prompt_project_id_fkey; Type: FK CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.prompt
    ADD CONSTRAINT prompt_project_id_fkey FOREIGN KEY (project_id) REFERENCES service.project(id) ON DELETE CASCADE;


--
-- Name: source source_project_id_fkey; Type: FK CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.source
    ADD CONSTRAINT source_project_id_fkey FOREIGN KEY (project_id) REFERENCES service.project(id) ON DELETE CASCADE;


--
-- Name: staged_file staged_file_token_id_fkey; Type: FK CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.staged_file
    ADD CONSTRAINT staged_file_token_id_fkey FOREIGN KEY (token_id) REFERENCES service.token(id) ON DELETE CASCADE;


--
-- Name: template template_project_id_fkey; Type: FK CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.template
    ADD CONSTRAINT template_project_id_fkey FOREIGN KEY (project_id) REFERENCES service.project(id) ON DELETE CASCADE;


--
-- Name: token token_user_id_fkey; Type: FK CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.token
    ADD CONSTRAINT token_user_id_fkey FOREIGN KEY (user_id) REFERENCES service.person(id) ON DELETE CASCADE;


--
-- Name: webhook webhook_project_id_fkey; Type: FK CONSTRAINT; Schema: service; Owner: -
--

ALTER TABLE ONLY service.webhook
    ADD CONSTRAINT webhook_project_id_fkey FOREIGN KEY (project_id) REFERENCES service.project(id) ON DELETE CASCADE;


--
-- Name: media_chunk media_chunk_file_id_fkey; Type: FK CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.media_chunk
    ADD CONSTRAINT media_chunk_file_id_fkey FOREIGN KEY (file_id) REFERENCES upnext.media_file(id) ON DELETE CASCADE;


--
-- Name: media_upload media_upload_file_id_fkey; Type: FK CONSTRAINT; Schema: upnext; Owner: -
--

ALTER TABLE ONLY upnext.media_upload
    ADD CONSTRAINT media_upload_file_id_fkey FOREIGN KEY (file_id) REFERENCES upnext.media_file(id);


--
-- PostgreSQL database dump complete
--


