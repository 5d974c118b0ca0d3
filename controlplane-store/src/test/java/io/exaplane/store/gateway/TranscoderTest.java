// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** JSON to protobuf and back; what etcd itself answers is compared in testbed/store. */
class TranscoderTest {
  private final Schema schema = Schema.load();
  private final Transcoder transcoder = new Transcoder(schema);

  private String thereAndBack(String type, String json) {
    byte[] message = transcoder.encode(type, new JsonReader(json).value());
    StringBuilder out = new StringBuilder();
    transcoder.decode(type, message, 0, message.length, out);
    return out.toString();
  }

  @Test
  void everyPathHasItsMessages() {
    int paths = 0;
    for (String path : schema.paths()) {
      Schema.Rpc rpc = schema.rpc(path);
      assertThat(schema.message(rpc.request())).as(path).isNotNull();
      assertThat(schema.message(rpc.response())).as(path).isNotNull();
      paths++;
    }
    assertThat(paths).isGreaterThan(45);
    assertThat(schema.rpc("/v3/watch").isStream()).isTrue();
    assertThat(schema.rpc("/v3/kv/range").isStream()).isFalse();
  }

  /** By single quotes. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "RangeRequest | {} | {}",
        "RangeRequest | {'key':'YQ==','limit':'5'} | {'key':'YQ==','limit':'5'}",
        "RangeRequest | {'key':'YQ','limit':5} | {'key':'YQ==','limit':'5'}",
        "RangeRequest | {'rangeEnd':'-_8='} | {'range_end':'+/8='}",
        "RangeRequest | {'key':'YWFh\\nYWFh','limit':'1e2'} | {'key':'YWFhYWFh','limit':'100'}",
        "RangeRequest | {'sort_order':'DESCEND','sort_target':3} | {'sort_order':'DESCEND','sort_target':'MOD'}",
        "RangeRequest | {'sort_order':77} | {'sort_order':77}",
        "RangeRequest | {'sort_order':'SIDEWAYS','limit':'1'} | {'limit':'1'}",
        "RangeRequest | {'nobody':[1,{'a':null}],'keys_only':true,'count_only':false} | {'keys_only':true}",
        "RangeRequest | {'limit':'-1','revision':1e3} | {'limit':'-1','revision':'1000'}",
        "RangeRequest | {'key':null} | {}",
        "WatchCreateRequest | {'filters':['NOPUT','NODELETE']} | {'filters':['NOPUT','NODELETE']}",
        "ResponseHeader | {'cluster_id':'18446744073709551615'} | {'cluster_id':'18446744073709551615'}",
        "Member | {'name':'a\\u00e9\\n','clientURLs':['http://a','b'],'isLearner':true} | {'name':'aé\\n','clientURLs':['http://a','b'],'isLearner':true}",
        "TxnRequest | {'compare':[{'key':'YQ==','target':'VALUE','value':'Yg=='}],'success':[{'request_put':{'key':'YQ=='}}]} | {'compare':[{'target':'VALUE','key':'YQ==','value':'Yg=='}],'success':[{'request_put':{'key':'YQ=='}}]}",
        "TxnRequest | {'success':[{'request_range':{}}]} | {'success':[{'request_range':{}}]}"
      })
  void jsonIsTakenAndGivenAsProtobufHasIt(String type, String json, String expected) {
    String back = thereAndBack(type, json.replace('\'', '"'));
    assertThat(new JsonReader(back).value())
        .isEqualTo(new JsonReader(expected.replace('\'', '"')).value());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[]",
        "{'limit':'x'}",
        "{'limit':1.5}",
        "{'limit':9223372036854775808}",
        "{'limit':true}",
        "{'key':7}",
        "{'key':'%'}",
        "{'keys_only':'true'}",
        "{'key':'YQ=='",
        "{'key':'YQ==',}",
        "{'key':'a\\x'}",
        "{key:'YQ=='}",
        "nul",
        "{'limit':01}",
        "{'limit':1,'limit':2}",
        "{'range_end':'YQ==','rangeEnd':'YQ=='}",
        "{'range_end':null,'rangeEnd':'YQ=='}",
        "{'limit':'+1'}",
        "{'limit':' 1'}",
        "{'limit':'01'}",
        "{'limit':'0x1'}",
        "{'limit':''}",
        "{'limit':1e999999999}",
        "{'limit':1e-999999999}",
        "{'key':'YQ='}",
        "{'key':'YQ==='}",
        "{'key':'+_8='}",
        "{'key':'YQ\\n\\n'}"
      })
  void whatIsNoSuchMessageIsRefused(String json) {
    assertThatThrownBy(() -> thereAndBack("RangeRequest", json.replace('\'', '"')))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "RequestOp | {'request_put':{},'request_range':{}} | another one of",
        "RequestOp | {'requestPut':{},'request_txn':{}} | another one of",
        "WatchRequest | {'create_request':{},'cancel_request':{}} | another one of",
        "Compare | {'version':'1','createRevision':'0'} | another one of",
        "ResponseHeader | {'cluster_id':18446744073709551616} | cluster_id",
        "ResponseHeader | {'cluster_id':1e999999999} | cluster_id",
        "ResponseHeader | {'cluster_id':'-1'} | cluster_id"
      })
  void fieldsOfWhichOneIsSetAndNumbersWithoutASign(String type, String json, String told) {
    assertThatThrownBy(() -> thereAndBack(type, json.replace('\'', '"')))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(told);
    assertThat(thereAndBack("RequestOp", "{\"request_put\":null,\"request_range\":{}}"))
        .isEqualTo("{\"request_range\":{}}");
  }

  /** An event loop reads this: neither takes a time that grows with the square of the length. */
  @Test
  @Timeout(20)
  void longNumbersAndPaddingAreRefusedSoon() {
    String digits = "{\"limit\":%s}".formatted("1".repeat(1_500_000));
    assertThatThrownBy(() -> thereAndBack("RangeRequest", digits))
        .isInstanceOf(IllegalArgumentException.class);
    String padding = "{\"key\":\"%sx\"}".formatted("=".repeat(1_500_000));
    assertThatThrownBy(() -> thereAndBack("RangeRequest", padding))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void depthIsBounded() {
    assertThatThrownBy(() -> new JsonReader("[".repeat(100_000)).value())
        .isInstanceOf(IllegalArgumentException.class);
  }
}
